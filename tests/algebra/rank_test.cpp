// Dependent rows: closed forms, linkages whose rank is known by construction, and the SVD as witness of the sparse QR.

#include "stillpoint/rank.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "stillpoint/assembly.h"
#include "stillpoint/read_model.h"
#include "support/algebra/random_linkage.h"
#include "support/dense_reference.h"

using namespace stillpoint;

namespace {

// A sum of some ten rounded products.
constexpr double rounding = 1e-13;

const RankOptions with_svd{};
const RankOptions with_qr{.largest_dense = 0};

SparseMatrix sparse(const Eigen::MatrixXd& A) { return A.sparseView(0.0, 0.0); }

SparseMatrix jacobian(const std::string& name, const Parameters& parameters) {
  const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/" + name + "/model.yaml", parameters);
  return Assembly(model).at(model.initial_state()).J;
}

/// Largest entry of Jᵀν relative to that of |J|ᵀ|ν|, which has no units.
double residual(const SparseMatrix& J, const SparseMatrix& null_vectors) {
  const Eigen::MatrixXd N = null_vectors.toDense(), A = J.toDense();
  const Eigen::MatrixXd sums = A.transpose() * N, sizes = A.cwiseAbs().transpose() * N.cwiseAbs();
  double largest = 0;
  for (Eigen::Index d = 0; d < N.cols(); ++d) {
    for (Eigen::Index j = 0; j < A.cols(); ++j) {
      if (sizes(j, d) > 0) largest = std::max(largest, std::abs(sums(j, d)) / sizes(j, d));
    }
  }
  return largest;
}

Index most_in_a_column(const SparseMatrix& A) {
  Index most = 0;
  for (Index j = 0; j < A.cols(); ++j) most = std::max(most, A.outerIndexPtr()[j + 1] - A.outerIndexPtr()[j]);
  return most;
}

/// The smallest singular value relative to the largest.
double smallest_singular_value(const Eigen::MatrixXd& A) {
  const Eigen::VectorXd values = dense::singular_values(A);
  return values[values.size() - 1] / values[0];
}

/// What must hold whatever the matrix.
void check_consistency(const SparseMatrix& J, const RowDependence& found) {
  std::vector<Index> all = found.independent;
  all.insert(all.end(), found.dependent.begin(), found.dependent.end());
  std::sort(all.begin(), all.end());
  CHECK(static_cast<Index>(all.size()) == J.rows());
  CHECK(std::adjacent_find(all.begin(), all.end()) == all.end());
  CHECK(std::is_sorted(found.independent.begin(), found.independent.end()));
  CHECK(std::is_sorted(found.dependent.begin(), found.dependent.end()));
  CHECK(found.rank.value == static_cast<Index>(found.independent.size()));
  CHECK(found.null_vectors.rows() == J.rows());
  CHECK(found.null_vectors.cols() == static_cast<Index>(found.dependent.size()));
  for (Index d = 0; d < found.null_vectors.cols(); ++d) {
    double largest = 0;
    for (SparseMatrix::InnerIterator entry(found.null_vectors, d); entry; ++entry) {
      largest = std::abs(entry.value()) > std::abs(largest) ? entry.value() : largest;
    }
    CHECK(largest == 1);
  }
}

struct Tally {
  int wrong = 0, undecided = 0, all = 0;
};

Tally try_linkages(int runs, int digits, bool along_the_axes, bool mixed_units, Index largest_dense) {
  Tally tally;
  for (int run = 0; run < runs; ++run) {
    RandomLinkage random(static_cast<std::uint64_t>(1000 * run + digits));
    const Linkage linkage = random.make({.couplers = random.whole(3, 12),
                                         .redundant = random.whole(0, 20),
                                         .digits = digits,
                                         .along_the_axes = along_the_axes,
                                         .mixed_units = mixed_units});
    const double noise = digits > 0 ? std::pow(10.0, -digits) : 0;
    const RankDecision rank = find_dependent_rows(linkage.J, {.noise = noise, .largest_dense = largest_dense}).rank;
    ++tally.all;
    if (rank.outcome == RankOutcome::undecided) {
      ++tally.undecided;
    } else if (rank.value != linkage.rank) {
      ++tally.wrong;
    }
  }
  return tally;
}

/// A body with three coordinates that many rods hold on to; each rod's other end is a point with two coordinates, on
/// the ground by one constraint more. Columns of the body have an entry in every rod's row.
SparseMatrix hub(Index rods, Index doubled) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  Index row = 0;
  const auto add_rod = [&](Index k) {
    const double angle = 0.7 + 2.399963 * static_cast<double>(k);  // the golden angle spreads them
    const double dx = std::cos(angle), dy = std::sin(angle), arm = std::sin(3 * angle);
    entries.emplace_back(row, 0, dx);
    entries.emplace_back(row, 1, dy);
    entries.emplace_back(row, 2, arm);
    entries.emplace_back(row, 3 + 2 * k, -dx);
    entries.emplace_back(row, 4 + 2 * k, -dy);
    ++row;
  };
  for (Index k = 0; k < rods; ++k) {
    add_rod(k);
    if (k < doubled) add_rod(k);
    entries.emplace_back(row++, 3 + 2 * k, 1);
  }
  SparseMatrix J(row, 3 + 2 * rods);
  J.setFromTriplets(entries.begin(), entries.end());
  return J;
}

}  // namespace

TEST_CASE("rank: a sum of rows is found, with its coefficients") {
  const SparseMatrix J = sparse((Eigen::MatrixXd(4, 5) << 1, 2, 0, 0, 0, /**/ 0, 1, 1, 0, 0, /**/ 1, 4, 2, 0, 0, /**/
                                 0, 0, 0, 1, 3)
                                    .finished());
  for (const RankOptions& options : {with_svd, with_qr}) {
    const RowDependence found = find_dependent_rows(J, options);
    CAPTURE(found.rank.method);
    check_consistency(J, found);
    CHECK(found.rank.value == 3);
    CHECK(found.rank.outcome == RankOutcome::deficient);
    REQUIRE(found.null_vectors.cols() == 1);
    // row 2 = row 0 + 2 row 1, scaled so that the largest entry, that of row 1, is one
    const Eigen::Vector4d nu = found.null_vectors.col(0).toDense();
    CHECK((nu - Eigen::Vector4d(0.5, 1, -0.5, 0)).norm() < rounding);
  }
}

TEST_CASE("rank: the methods call themselves by their names, and the limit of sizes chooses") {
  const SparseMatrix J = sparse(Eigen::MatrixXd::Identity(3, 4));
  CHECK(find_dependent_rows(J, {.largest_dense = 4}).rank.method == "SVD");
  CHECK(find_dependent_rows(J, {.largest_dense = 3}).rank.method == "sparse QR");
}

TEST_CASE("rank: nothing to decide: no rows, no columns, zeros") {
  for (const Index largest_dense : {300, 0}) {
    const RankOptions options{.largest_dense = largest_dense};
    const RowDependence none = find_dependent_rows(SparseMatrix(0, 5), options);
    CHECK(none.rank.value == 0);
    CHECK(none.rank.outcome == RankOutcome::full);
    CHECK(none.null_vectors.cols() == 0);

    for (const SparseMatrix& J : {SparseMatrix(3, 0), SparseMatrix(3, 4)}) {
      const RowDependence zeros = find_dependent_rows(J, options);
      check_consistency(J, zeros);
      CHECK(zeros.rank.value == 0);
      CHECK(zeros.rank.outcome == RankOutcome::deficient);
      CHECK(zeros.null_vectors.toDense() == Eigen::MatrixXd::Identity(3, 3));
      CHECK(std::isnan(zeros.rank.smallest_kept));
    }

    const SparseMatrix one_zero_row = sparse((Eigen::MatrixXd(3, 2) << 1, 2, 0, 0, 3, 4).finished());
    const RowDependence found = find_dependent_rows(one_zero_row, options);
    CHECK(found.dependent == std::vector<Index>{1});
    CHECK(found.null_vectors.toDense() == Eigen::Vector3d(0, 1, 0));
  }
}

TEST_CASE("rank: more rows than columns are dependent, however many values are large") {
  Eigen::MatrixXd A(5, 2);
  A << 1, 2, 3, 5, 4, -1, 2, 2, 7, 1;
  for (const RankOptions& options : {with_svd, with_qr}) {
    const RowDependence found = find_dependent_rows(sparse(A), options);
    check_consistency(sparse(A), found);
    CHECK(found.rank.value == 2);
    CHECK(found.rank.outcome == RankOutcome::deficient);
    CHECK(residual(sparse(A), found.null_vectors) < rounding);
    CHECK(smallest_singular_value(found.null_vectors.toDense()) > 1e-3);  // independent of each other
  }
}

TEST_CASE("rank: small values above the noise are kept, and a stated noise drops them") {
  Eigen::MatrixXd A(3, 3);
  A << 1, 1, 0, 1, 1 + 1e-8, 0, 0, 0, 1;
  for (const RankOptions& options : {with_svd, with_qr}) {
    RankOptions noisy = options;
    noisy.noise = 1e-8;
    const RowDependence exact = find_dependent_rows(sparse(A), options), rough = find_dependent_rows(sparse(A), noisy);
    CAPTURE(exact.rank.method);
    CHECK(exact.rank.outcome == RankOutcome::deficient);  // 1e8 from 1 to 5e-9, and 2e7 from there to ε
    CHECK(exact.rank.value == 2);
    CHECK(exact.rank.largest_dropped > 1e-9);
    CHECK(exact.rank.largest_dropped < 1e-8);
    CHECK(rough.rank.value == 2);
    CHECK(rough.rank.noise_floor == 1e-8);
    CHECK(rough.rank.gap < 1e8);
  }
}

TEST_CASE("rank: a gap below a thousand is called undecided") {
  struct Example {
    double second, noise;  // the values are 1, second and the noise
    RankOutcome outcome;
  };
  for (const Example& example : {Example{1e-4, 1e-6, RankOutcome::deficient},
                                 Example{5e-3, 2e-5, RankOutcome::undecided}, Example{2e-2, 1e-6, RankOutcome::full}}) {
    // [1 1; 1 1 + 4x] has values in the ratio 1 : x, nearly
    const SparseMatrix J = sparse((Eigen::MatrixXd(2, 2) << 1, 1, 1, 1 + 4 * example.second).finished());
    for (const Index largest_dense : {300, 0}) {
      const RankDecision rank = find_dependent_rows(J, {.noise = example.noise, .largest_dense = largest_dense}).rank;
      CAPTURE(rank.method);
      CAPTURE(rank.gap);
      CHECK(rank.outcome == example.outcome);
      CHECK((rank.gap < 1e3) == (example.outcome == RankOutcome::undecided));
    }
  }
}

TEST_CASE("rank: a given rank is taken and recorded") {
  Eigen::MatrixXd A(4, 4);
  A << 1, 0, 0, 0, 0, 1, 0, 0, 1, 1, 1e-3, 0, 0, 0, 0, 1;
  for (const Index largest_dense : {300, 0}) {
    for (const Index rank : {0, 2, 3, 4}) {
      const RowDependence found = find_dependent_rows(sparse(A), {.rank = rank, .largest_dense = largest_dense});
      CAPTURE(rank);
      check_consistency(sparse(A), found);
      CHECK(found.rank.value == rank);
      CHECK(found.rank.outcome == RankOutcome::given);
    }
  }
}

TEST_CASE("rank: impossible requests are refused") {
  const SparseMatrix J = sparse(Eigen::MatrixXd::Identity(2, 3));
  CHECK_THROWS_AS(find_dependent_rows(J, {.noise = -1}), std::invalid_argument);
  CHECK_THROWS_AS(find_dependent_rows(J, {.noise = 1}), std::invalid_argument);
  CHECK_THROWS_AS(find_dependent_rows(J, {.rank = 3}), std::invalid_argument);
  CHECK_THROWS_AS(find_dependent_rows(J, {.rank = -1}), std::invalid_argument);
  CHECK_THROWS_AS(find_dependent_rows(SparseMatrix(2, 3), {.rank = 1}), std::invalid_argument);
  for (const double bad : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    SparseMatrix broken = J;
    broken.coeffRef(1, 1) = bad;
    CHECK_THROWS_AS(find_dependent_rows(broken), std::invalid_argument);
    CHECK_THROWS_AS(find_dependent_rows(broken, with_qr), std::invalid_argument);
  }
}

TEST_CASE("rank: a factor without a small diagonal entry does not hide a small value") {
  // Ones on the diagonal, −c above it: every pivot is one, and the smallest value falls as (1 + c)^(1−n).
  constexpr Index n = 60;
  const double c = 0.4;
  Eigen::MatrixXd A = Eigen::MatrixXd::Identity(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = i + 1; j < n; ++j) A(i, j) = -c;
  }
  // The rows of J are the columns of this triangle.
  const SparseMatrix J = sparse(A.transpose());
  const double smallest = smallest_singular_value(A);
  const RankDecision svd = find_dependent_rows(J, with_svd).rank, qr = find_dependent_rows(J, with_qr).rank;
  CHECK(smallest < 1e-9);
  CHECK(svd.value == qr.value);
  CHECK(svd.value == n - 1);
  CHECK(qr.largest_dropped < 1e-7);
}

TEST_CASE("rank: linkages: never wrong; hardly ever undecided when nine digits and more are stated") {
  for (const Index largest_dense : {300, 0}) {
    for (const int digits : {0, 12, 11, 10, 9, 8, 7, 6}) {
      for (const bool mixed_units : {false, true}) {
        for (const bool along_the_axes : {false, true}) {
          if (mixed_units && along_the_axes) continue;  // then a cosine of zero may be one in small units
          const Tally tally = try_linkages(20, digits, along_the_axes, mixed_units, largest_dense);
          CAPTURE(largest_dense);
          CAPTURE(digits);
          CAPTURE(mixed_units);
          CAPTURE(along_the_axes);
          CHECK(tally.wrong == 0);
          if (digits == 0 || digits >= 9) CHECK(tally.undecided == 0);
        }
      }
    }
  }
}

TEST_CASE("rank: linkages: sparse QR and SVD agree on values and null space") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    RandomLinkage random(seed);
    const Linkage linkage = random.make({.couplers = random.whole(2, 10), .redundant = random.whole(0, 20)});
    const RowDependence svd = find_dependent_rows(linkage.J, with_svd), qr = find_dependent_rows(linkage.J, with_qr);
    CAPTURE(seed);
    check_consistency(linkage.J, svd);
    check_consistency(linkage.J, qr);
    CHECK(svd.rank.value == qr.rank.value);
    CHECK(residual(linkage.J, svd.null_vectors) < rounding);
    CHECK(residual(linkage.J, qr.null_vectors) < rounding);
    // The QR's values are those of the rows kept: no larger than the SVD's, but for estimates by a few steps of
    // iteration.
    CHECK(qr.rank.smallest_kept <= 1.01 * svd.rank.smallest_kept);
    CHECK(most_in_a_column(qr.null_vectors) <= 3);  // parallel links: three of them
    CHECK(most_in_a_column(svd.null_vectors) <= 3);
  }
}

TEST_CASE("rank: units make no difference") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Linkage si = RandomLinkage(seed).make({.couplers = 6, .redundant = 5});
    const Linkage mixed = RandomLinkage(seed).make({.couplers = 6, .redundant = 5, .mixed_units = true});
    for (const RankOptions& options : {with_svd, with_qr}) {
      const RankDecision a = find_dependent_rows(si.J, options).rank, b = find_dependent_rows(mixed.J, options).rank;
      CAPTURE(seed);
      CHECK(a.value == b.value);
      CHECK(b.smallest_kept > 1e-3 * a.smallest_kept);  // equal but for the last few bits of each scale
    }
  }
}

TEST_CASE("rank: five-bar parallelogram: one constraint of twelve, however many digits its positions have") {
  const SparseMatrix J = jacobian("five_bar_parallelogram", {});
  REQUIRE(J.rows() == 12);
  for (const RankOptions& options : {with_svd, with_qr}) {
    const RowDependence found = find_dependent_rows(J, options);
    CHECK(found.rank.value == 11);
    CHECK(found.rank.gap > 1e10);
    CHECK((J.transpose() * found.null_vectors).toDense().norm() < rounding);  // in m and rad: all of order one
  }
}

TEST_CASE("rank: flat four-bars: every left null vector stays in its loop, three rods each") {
  for (const Index loops : {1, 7, 100, 3000}) {
    const SparseMatrix J = jacobian("four_bar", {{"N", loops}, {"phi_guess", 0}});
    const RowDependence found = find_dependent_rows(J);
    CAPTURE(loops);
    CAPTURE(found.rank.method);
    CHECK(found.rank.value == J.rows() - loops);
    CHECK(found.rank.outcome == RankOutcome::deficient);
    for (Index d = 0; d < found.null_vectors.cols(); ++d) CHECK(found.null_vectors.col(d).nonZeros() == 3);
    const SparseMatrix sums = J.transpose() * found.null_vectors;
    CHECK(sums.coeffs().abs().maxCoeff() < rounding);
  }
}

TEST_CASE("rank: flat four-bars at 180 degrees: the rounding of a sine is no constraint") {
  const SparseMatrix J = jacobian("four_bar", {{"N", 50}, {"phi_guess", std::acos(-1.0)}});
  for (const RankOptions& options : {with_svd, with_qr}) CHECK(find_dependent_rows(J, options).rank.value == 52);
}

TEST_CASE("rank: a chain's smallest value falls with its length and is kept") {
  const SparseMatrix J = jacobian("four_bar", {{"N", 100}});
  const RankDecision svd = find_dependent_rows(J, with_svd).rank, qr = find_dependent_rows(J, with_qr).rank;
  CHECK(svd.outcome == RankOutcome::full);
  CHECK(qr.outcome == RankOutcome::full);
  CHECK(std::abs(qr.smallest_kept / svd.smallest_kept - 1) < 0.02);  // a few steps of inverse iteration
}

TEST_CASE("rank: a body that thousands of rods hold on to") {
  // The dense columns are split; what is dependent is found as if they were not.
  const SparseMatrix small = hub(100, 7), large = hub(20000, 3);
  const RowDependence svd = find_dependent_rows(small, with_svd), qr = find_dependent_rows(small, with_qr);
  CHECK(svd.rank.value == small.rows() - 7);
  CHECK(qr.rank.value == small.rows() - 7);
  CHECK(std::abs(qr.rank.smallest_kept / svd.rank.smallest_kept - 1) < 0.3);  // other rows may be kept
  CHECK(residual(small, qr.null_vectors) < rounding);

  const RowDependence found = find_dependent_rows(large);
  CHECK(found.rank.value == large.rows() - 3);
  CHECK(most_in_a_column(found.null_vectors) == 2);
}

TEST_CASE("rank: a constraint on the sum of many coordinates") {
  constexpr Index n = 20000;
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (Index j = 0; j < n; ++j) entries.emplace_back(n / 2, j, 1.0 / n);
  for (Index i = 0; i + 1 < n; ++i) {
    const Index row = i < n / 2 ? i : i + 1;
    entries.emplace_back(row, i, 1);
    entries.emplace_back(row, i + 1, -1);
  }
  entries.emplace_back(n, 0, 1);  // one more than there are coordinates: x₀ follows from the others
  SparseMatrix J(n + 1, n);
  J.setFromTriplets(entries.begin(), entries.end());
  const RowDependence found = find_dependent_rows(J);
  check_consistency(J, found);
  CHECK(found.rank.value == n);
}
