// Signs, solutions and error bounds of sparse symmetric factors. The witnesses know nothing of fronts: eigenvalues in
// long double, closed forms, Sturm's recurrence, and matrices put together from a congruence.

#include "stillpoint/detail/symmetric_factor.h"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "algebra/scaling/congruence_scaling.h"
#include "base/at.h"
#include "stillpoint/error.h"
#include "support/algebra/symmetric_matrices.h"
#include "support/dense_reference.h"
#include "support/seeded.h"

using namespace stillpoint;

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Long = long double;
/// Said aloud, because clang warns of doubles that become long unasked.
Long longer(double value) { return static_cast<Long>(value); }
using LongMatrix = Eigen::Matrix<Long, Eigen::Dynamic, Eigen::Dynamic>;

constexpr double rounding_unit = std::numeric_limits<double>::epsilon() / 2;
constexpr double well_defined = 1e-12;  // no bound for matrices with a hundred rows of entries near 1 may excuse more

SymmetricFactor factored(const SparseMatrix& A) {
  SymmetricFactor factor(A);
  factor.factor(A);
  return factor;
}

void check_signs(const SignCount& signs, Index positive, Index negative, Index zero) {
  CHECK(signs.positive == positive);
  CHECK(signs.negative == negative);
  CHECK(signs.zero == zero);
}

/// S A S, rounded unless S has powers of two.
SparseMatrix scaled(SparseMatrix A, const std::vector<double>& S) {
  for (Index j = 0; j < A.cols(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      entry.valueRef() *= S[at(entry.row())] * S[at(j)];
    }
  }
  return A;
}

/// Scaled with S = 10^(± decades / 2).
SparseMatrix in_mixed_units(const SparseMatrix& A, double decades, Random& random) {
  std::vector<double> S(at(A.rows()));
  for (double& s : S) s = std::pow(10, random.between(-decades / 2, decades / 2));
  return scaled(A, S);
}

struct Eigenvalues {
  Index positive = 0, negative = 0;
  double nearest_to_zero = std::numeric_limits<double>::infinity();
  double farthest_from_zero = 0;
};

Eigenvalues eigenvalues(const SparseMatrix& A) {
  const Eigen::SelfAdjointEigenSolver<LongMatrix> solver(MatrixXd(A).cast<Long>(), Eigen::EigenvaluesOnly);
  Eigenvalues found;
  for (const Long value : solver.eigenvalues()) {
    ++(value > 0 ? found.positive : found.negative);
    found.nearest_to_zero = std::min(found.nearest_to_zero, std::abs(static_cast<double>(value)));
    found.farthest_from_zero = std::max(found.farthest_from_zero, std::abs(static_cast<double>(value)));
  }
  return found;
}

/// [[K − shift, Jᵀ], [J, 0]] with indefinite sparse K, of which some diagonal entries are missing. The first entries of
/// the rows of J are on a diagonal: full rank as a rule. Rows counted by `alike` repeat the first one up to
/// `difference`.
SparseMatrix bordered(Random& random, Index coordinates, Index constraints, Index alike = 0, double difference = 0) {
  Symmetric sum(coordinates + constraints);
  const double shift = random.between(-1, 1);
  for (Index i = 0; i < coordinates; ++i) {
    if (random.between(0, 1) < 0.7) sum.add(i, i, random.entry() - shift);
    for (int k = 0; k < 2; ++k) sum.add(i, random.below(coordinates), random.entry());
  }
  std::vector<std::pair<Index, double>> first;
  for (Index c = 0; c < constraints; ++c) {
    if (c == 0 || c > alike) {
      for (int k = 0; k < 3; ++k) {
        const Index at = k == 0 ? c : random.below(coordinates);
        const double value = random.entry();
        sum.add(coordinates + c, at, value);
        if (c == 0) first.emplace_back(at, value);
      }
      continue;
    }
    for (const auto& [at, value] : first) sum.add(coordinates + c, at, value);
    sum.add(coordinates + c, c, difference * random.entry());
  }
  return sum.matrix();
}

VectorXd ones(const SparseMatrix& A) { return VectorXd::Ones(A.rows()); }

/// ‖A x − b‖ / (‖A‖ ‖x‖ + ‖b‖), largest row sums and entries.
double residual(const SparseMatrix& A, const VectorXd& x, const VectorXd& b) {
  const auto largest = [](const VectorXd& v) { return v.lpNorm<Eigen::Infinity>(); };
  const double norm = largest(A.cwiseAbs() * ones(A));
  return largest(A * x - b) / (norm * largest(x) + largest(b));
}

/// The largest |A x − b|ᵢ / (|A| |x| + |b|)ᵢ, computed in long double: small only if every row is, whatever its units.
double row_by_row_residual(const SparseMatrix& A, const VectorXd& x, const VectorXd& b) {
  Eigen::Matrix<Long, Eigen::Dynamic, 1> r = -b.cast<Long>();
  VectorXd size = b.cwiseAbs();
  for (Index j = 0; j < A.cols(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      r[entry.row()] += longer(entry.value()) * longer(x[j]);
      size[entry.row()] += std::abs(entry.value() * x[j]);
    }
  }
  double largest = 0;
  for (Index i = 0; i < A.rows(); ++i) largest = std::max(largest, std::abs(static_cast<double>(r[i])) / size[i]);
  return largest;
}

/// How the signs of many matrices compare with those of their eigenvalues.
struct SignTally {
  int right = 0, uncertain = 0, wrong = 0;
  double largest_bound = 0;
};

/// The signs are right as soon as no eigenvalue of S A S is nearer to zero than backward_error() ‖S A S‖₂.
void try_signs(const SparseMatrix& A, SignTally& tally) {
  const Eigenvalues truth = eigenvalues(scaled(A, congruence_scaling(A)));
  const SymmetricFactor factor = factored(A);
  const double bound = factor.backward_error() * truth.farthest_from_zero;
  tally.largest_bound = std::max(tally.largest_bound, bound);
  const SignCount signs = factor.signs();
  const bool agree = signs.positive == truth.positive && signs.negative == truth.negative && signs.zero == 0;
  ++(truth.nearest_to_zero <= bound ? tally.uncertain : agree ? tally.right : tally.wrong);
}

}  // namespace

TEST_CASE("symmetric factor: signs of bordered matrices are those of their eigenvalues, over six decades of units") {
  SignTally tally;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed);
    const Index coordinates = 1 + random.below(24);
    const SparseMatrix A = bordered(random, coordinates, random.below(coordinates));
    try_signs(in_mixed_units(A, 6, random), tally);
  }
  CHECK(tally.wrong == 0);
  CHECK(tally.right > 1960);  // one draw of 180 is singular
  CHECK(tally.largest_bound < well_defined);
}

TEST_CASE("symmetric factor: nearly dependent constraints do not spoil the signs") {
  // Differences of 1e-5 leave 1e-10 in the pivots of the multipliers.
  SignTally tally;
  for (std::uint64_t seed = 7000; seed < 7400; ++seed) {
    Random random(seed);
    const Index coordinates = 8 + random.below(16), alike = 1 + random.below(3);
    const double difference = std::pow(10, random.between(-5, -3));
    const SparseMatrix A = bordered(random, coordinates, alike + 1 + random.below(3), alike, difference);
    try_signs(in_mixed_units(A, 6, random), tally);
  }
  CHECK(tally.wrong == 0);
  CHECK(tally.right > 380);  // one draw of 45 is singular or nearly so
  CHECK(tally.largest_bound < well_defined);
}

TEST_CASE("symmetric factor: K definite on the constraints gives one negative eigenvalue for each constraint") {
  // Sylvester for [[K, Jᵀ], [J, 0]] with K > 0: n positive, m negative, whatever J of full rank.
  Random random(11);
  for (const Index constraints : {1, 50, 199, 200}) {
    const Index coordinates = 200;
    Symmetric sum(coordinates + constraints);
    for (Index i = 0; i < coordinates; ++i) {
      sum.add(i, i, 3);
      sum.add(i, (i + 1) % coordinates, random.entry());
    }
    for (Index c = 0; c < constraints; ++c) {
      sum.add(coordinates + c, c, 3);
      for (int k = 0; k < 2; ++k) sum.add(coordinates + c, random.below(coordinates), random.entry());
    }
    const SymmetricFactor factor = factored(in_mixed_units(sum.matrix(), 6, random));
    check_signs(factor.signs(), coordinates, constraints, 0);
  }
}

TEST_CASE("symmetric factor: a matrix put together from a congruence has the signs it was made with, zeros included") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Random random(500 + seed);
    const Index size = 120;
    // X D Xᵀ with small integers: no rounding, and each unknown leans on an earlier one at most.
    std::vector<double> D;
    Index positive = 0, negative = 0;
    for (Index i = 0; i < size; ++i) {
      D.push_back(static_cast<double>(random.below(7) - 3));
      positive += D[i] > 0;
      negative += D[i] < 0;
    }
    Symmetric sum(size);
    for (Index k = 0; k < size; ++k) {
      // Column k of X: 1 on the diagonal, ±1 in a row further down that has the same sixteenth of the rows.
      const Index other = std::min(size - 1, (k / 16) * 16 + random.below(16));
      sum.add(k, k, D[k]);
      if (other <= k) continue;
      const double x = random.entry() > 0 ? 1 : -1;
      sum.add(other, k, x * D[k]);
      sum.add(other, other, D[k]);
    }
    check_signs(factored(sum.matrix()).signs(), positive, negative, size - positive - negative);
  }
}

TEST_CASE("symmetric factor: without a diagonal there are as many positive as negative eigenvalues") {
  // [[0, B], [Bᵀ, 0]]: ± the singular values of B. No pivot of size 1 at the beginning.
  for (const bool stored : {false, true}) {
    Random random(3);
    const Index half = 500;
    Symmetric sum(2 * half);
    for (Index i = 0; i < half; ++i) {
      sum.add(half + i, i, 3);
      for (int k = 0; k < 2; ++k) sum.add(half + i, random.below(half), random.entry());
      if (!stored) continue;
      sum.add(i, i, 0);
      sum.add(half + i, half + i, 0);
    }
    const SparseMatrix A = sum.matrix();
    const SymmetricFactor factor = factored(A);
    check_signs(factor.signs(), half, half, 0);
    CHECK(residual(A, factor.solve(ones(A)), ones(A)) < 1e3 * rounding_unit);  // growth of up to a factor of 100
  }
}

TEST_CASE("symmetric factor: a long chain has the signs of Sturm's recurrence and entries in proportion to it") {
  Random random(5);
  const Index size = 50000;
  Symmetric sum(size);
  std::vector<double> diagonal, coupling;
  for (Index i = 0; i < size; ++i) {
    diagonal.push_back(random.between(-1, 1));
    coupling.push_back(random.entry());
    sum.add(i, i, diagonal.back());
    if (i > 0) sum.add(i, i - 1, coupling.back());
  }
  Index negative = 0;
  Long d = longer(diagonal[0]);
  for (Index i = 0; i < size; ++i) {
    if (i > 0) d = longer(diagonal[i]) - longer(coupling[i]) * longer(coupling[i]) / d;
    negative += d < 0;
  }
  const SymmetricFactor factor = factored(sum.matrix());
  check_signs(factor.signs(), size - negative, negative, 0);
  CHECK(factor.entries() < 10 * std::int64_t{size});
}

TEST_CASE("symmetric factor: grids have the signs and the zeros of their closed form") {
  for (const Index k : {1, 2, 7, 40}) {
    for (const double diagonal : {-4.5, 0.0, 0.7, 3.2, 4.0}) {
      CAPTURE(k);
      CAPTURE(diagonal);
      Index positive = 0, negative = 0;
      for (Index a = 1; a <= k; ++a) {
        for (Index b = 1; b <= k; ++b) {
          const double turn = std::numbers::pi / (k + 1);
          const double value = diagonal - 2 * std::cos(turn * a) - 2 * std::cos(turn * b);
          positive += value > 1e-6;  // no other eigenvalue of these grids is as near to zero
          negative += value < -1e-6;
        }
      }
      const SparseMatrix A = grid(k, diagonal);
      const SymmetricFactor factor = factored(A);
      check_signs(factor.signs(), positive, negative, k * k - positive - negative);
      CHECK(factor.backward_error() < 1e5 * rounding_unit);  // growth times the length of the sums
      if (factor.signs().zero == 0) CHECK(residual(A, factor.solve(ones(A)), ones(A)) < 1e3 * rounding_unit);
    }
  }
}

TEST_CASE("symmetric factor: the signs are right wherever the bound of the backward error says so") {
  // The grid, shifted to a distance from one of its eigenvalues: on the right side of it as soon as the distance is
  // larger than the bound times the norm, 8.
  const Index k = 20;
  const double turn = std::numbers::pi / (k + 1);
  std::vector<double> values;
  for (Index a = 1; a <= k; ++a) {
    for (Index b = 1; b <= k; ++b) values.push_back(4 - 2 * std::cos(turn * a) - 2 * std::cos(turn * b));
  }
  std::sort(values.begin(), values.end());
  int claimed = 0;
  for (int place = 0; place < k * k; place += 37) {
    for (double distance = 1e-15; distance < 1e-9; distance *= 10) {
      for (const double side : {-distance, distance}) {
        const double shift = values[place] + side;
        const SymmetricFactor factor = factored(grid(k, 4 - shift));
        const double bound = 8 * (factor.backward_error() + 8 * rounding_unit);  // the shift is rounded, too
        CHECK(bound < 1e-11);
        const auto below = std::count_if(values.begin(), values.end(), [&](double v) { return v < shift - bound; });
        const auto above = std::count_if(values.begin(), values.end(), [&](double v) { return v > shift + bound; });
        CHECK(factor.signs().negative >= below);
        CHECK(factor.signs().positive >= above);
        claimed += below + above == k * k;
      }
    }
  }
  CHECK(claimed > 40);  // so that the bound does say something
}

TEST_CASE("symmetric factor: the bound of the backward error is above the residuals of solutions, not far above") {
  // The largest entry of each row is 1 or nearly so, S = 1: (A + E) x = b, and the residual is E x.
  const auto compare = [](const SparseMatrix& A) {
    const Eigen::VectorXd values = dense::symmetric_eigenvalues(A);
    const SymmetricFactor factor = factored(A);
    Random random(31);
    double seen = 0;
    for (int k = 0; k < 20; ++k) {
      VectorXd b(A.rows());
      for (double& value : b) value = random.entry();
      const VectorXd x = factor.solve(b);
      seen = std::max(seen, (A * x - b).norm() / (values.cwiseAbs().maxCoeff() * x.norm()));
    }
    CHECK(seen < factor.backward_error());
    CHECK(seen > factor.backward_error() / 2000);  // it grows with n, the errors with √n; both with the growth
  };
  for (const Index k : {5, 20}) compare(grid(k, 0.7));
  Random random(32);
  for (const Index size : {20, 100}) {
    Symmetric sum(size);
    for (Index i = 0; i < size; ++i) {
      for (Index j = 0; j <= i; ++j) sum.add(i, j, random.entry());
    }
    compare(sum.matrix());
  }
}

TEST_CASE("symmetric factor: dense matrices, with fronts of several panels") {
  for (const Index size : {47, 48, 49, 130, 200}) {
    for (const bool with_diagonal : {true, false}) {
      Random random(static_cast<std::uint64_t>(size));
      Symmetric sum(size);
      for (Index i = 0; i < size; ++i) {
        for (Index j = 0; j < i; ++j) sum.add(i, j, random.between(-1, 1));
        if (with_diagonal) sum.add(i, i, random.between(-1, 1));
      }
      const SparseMatrix A = sum.matrix();
      const Eigen::VectorXd values = dense::symmetric_eigenvalues(A);
      const auto negative = static_cast<Index>((values.array() < 0).count());
      const SymmetricFactor factor = factored(A);
      check_signs(factor.signs(), size - negative, negative, 0);
      CHECK(factor.entries() == size * (size + 1) / 2);
      CHECK(residual(A, factor.solve(ones(A)), ones(A)) < 1e3 * rounding_unit);
    }
  }
}

TEST_CASE("symmetric factor: one node with very many neighbours costs entries in proportion to them") {
  // Closed form: the signs of the neighbours, and that of h − Σ a² / d.
  const Index leaves = 20000;
  const auto count = [&](const std::function<double(Index)>& diagonal, double of_hub) {
    Symmetric sum(leaves + 1);
    Random random(9);
    Index negative = 0;
    Long left = longer(of_hub);
    for (Index i = 0; i < leaves; ++i) {
      const double a = random.entry(), d = diagonal(i);
      sum.add(i, i, d);
      sum.add(leaves, i, a);
      left -= longer(a) * longer(a) / longer(d);
      negative += d < 0;
    }
    if (of_hub != 0) sum.add(leaves, leaves, of_hub);
    negative += left < 0;
    const SparseMatrix A = sum.matrix();
    const SymmetricFactor factor = factored(A);
    CHECK(residual(A, factor.solve(ones(A)), ones(A)) < 1e3 * rounding_unit);
    check_signs(factor.signs(), leaves + 1 - negative, negative, 0);
    CHECK(factor.entries() < 30 * std::int64_t{leaves});
  };
  Random random(10);
  count([&](Index) { return random.entry(); }, 1);
  count([&](Index) { return random.entry(); }, 0);
  count([&](Index) { return random.between(-0.05, 0.05); }, 1);  // no pivot before the node itself
  count([&](Index i) { return i % 3 == 0 ? -1e-3 : 1e-3; }, 1);
}

TEST_CASE("symmetric factor: of very many constraints of one coordinate all but one give a zero") {
  const Index constraints = 5000;
  Random random(12);
  Symmetric sum(constraints + 1);
  sum.add(0, 0, 2);
  for (Index c = 1; c <= constraints; ++c) sum.add(c, 0, random.entry());
  const SymmetricFactor factor = factored(sum.matrix());
  check_signs(factor.signs(), 1, 1, constraints - 1);
  CHECK(factor.entries() < 50 * std::int64_t{constraints});
  CHECK(factor.backward_error() < 100 * rounding_unit);
  CHECK(factor.smallest_pivot() == 0);
}

TEST_CASE("symmetric factor: parts that share nothing, and pivots of size 2 by themselves") {
  Symmetric sum(3000);
  for (Index k = 0; k < 3000; k += 3) {
    sum.add(k, k, k % 2 == 0 ? 2e-9 : -5e7);
    sum.add(k + 1, k + 2, 1e3);
    sum.add(k + 1, k + 1, 1);
  }
  const SymmetricFactor factor = factored(sum.matrix());
  check_signs(factor.signs(), 1500, 1500, 0);
}

TEST_CASE("symmetric factor: nothing, one number, and zeros only") {
  check_signs(factored(SparseMatrix(0, 0)).signs(), 0, 0, 0);
  CHECK(factored(SparseMatrix(0, 0)).solve(VectorXd(0)).size() == 0);
  CHECK(std::isnan(factored(SparseMatrix(0, 0)).smallest_pivot()));
  CHECK(factored(SparseMatrix(0, 0)).backward_error() == 0);

  Symmetric one(1);
  one.add(0, 0, -4e-300);
  check_signs(factored(one.matrix()).signs(), 0, 1, 0);
  CHECK(factored(one.matrix()).solve(VectorXd::Constant(1, 8e-300))[0] == -2);
  CHECK(factored(one.matrix()).smallest_pivot() == 1);

  SparseMatrix zeros(300, 300);
  check_signs(factored(zeros).signs(), 0, 0, 300);
  CHECK(factored(zeros).solve(VectorXd::Ones(300)).isZero(0));
  CHECK(factored(zeros).smallest_pivot() == 0);
  SparseMatrix stored = grid(10, 1);
  stored.coeffs().setZero();
  check_signs(factored(stored).signs(), 0, 0, 100);
}

TEST_CASE("symmetric factor: zero pivots leave their unknowns at zero and the rest solved") {
  // Twice the same constraint: their multipliers add up, one of them is left at 0.
  Symmetric sum(4);
  sum.add(0, 0, 2);
  sum.add(1, 1, 3);
  for (const Index multiplier : {2, 3}) {
    sum.add(multiplier, 0, 1);
    sum.add(multiplier, 1, -1);
  }
  const SparseMatrix A = sum.matrix();
  const SymmetricFactor factor = factored(A);
  check_signs(factor.signs(), 2, 1, 1);
  const VectorXd b = A * VectorXd::LinSpaced(4, 1, 4);
  const VectorXd x = factor.solve(b);
  CHECK((x[2] == 0) != (x[3] == 0));
  CHECK((A * x - b).norm() < 100 * rounding_unit * b.norm());
}

// Small fronts and large ones, pivots of both sizes, unknowns that were changed on the way; more columns than go at
// once.
TEST_CASE("symmetric factor: many right-hand sides are solved as each of them by itself") {
  Random random(31);
  Symmetric hub(3001);
  for (Index i = 0; i < 3000; ++i) {
    hub.add(i, i, random.between(-0.05, 0.05));
    hub.add(3000, i, random.entry());
  }
  for (const SparseMatrix& A : {grid(40, 0.3), bordered(random, 60, 20), hub.matrix()}) {
    const SymmetricFactor factor = factored(A);
    const MatrixXd B = MatrixXd::NullaryExpr(A.rows(), 35, [&] { return random.entry(); });
    const MatrixXd X = factor.solve_columns(B);
    REQUIRE(X.cols() == B.cols());
    for (Eigen::Index k = 0; k < B.cols(); ++k) CHECK(residual(A, X.col(k), B.col(k)) < 1e3 * rounding_unit);
  }
  CHECK(factored(hub.matrix()).solve_columns(MatrixXd(3001, 0)).cols() == 0);
  CHECK_THROWS_AS(factored(hub.matrix()).solve_columns(MatrixXd(3, 2)), std::invalid_argument);

  Symmetric twice(3);  // the same constraint
  twice.add(0, 0, 2);
  for (const Index multiplier : {1, 2}) twice.add(multiplier, 0, 1);
  const MatrixXd X = factored(twice.matrix()).solve_columns(twice.matrix() * MatrixXd::Ones(3, 2));
  for (Eigen::Index k = 0; k < 2; ++k) CHECK((X(1, k) == 0) != (X(2, k) == 0));
}

TEST_CASE("symmetric factor: one step of refinement makes the residual of every row small, whatever the units") {
  double largest = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(900 + seed);
    const Index coordinates = 30 + random.below(30);
    const SparseMatrix balanced = bordered(random, coordinates, random.below(coordinates));
    if (eigenvalues(balanced).nearest_to_zero < 1e-4) continue;  // where the rows of x have digits
    const SparseMatrix A = in_mixed_units(balanced, 6, random);
    const SymmetricFactor factor = factored(A);
    VectorXd x = factor.solve(ones(A));
    x += factor.solve(ones(A) - A * x);
    largest = std::max(largest, row_by_row_residual(A, x, ones(A)));
  }
  CHECK(largest < 100 * rounding_unit);  // a row has up to some ten terms
}

TEST_CASE("symmetric factor: other numbers in the same pattern give what a new factor gives, to the last bit") {
  Random random(21);
  const SparseMatrix first = bordered(random, 300, 120);
  SparseMatrix second = first;
  for (Index j = 0; j < second.cols(); ++j) {
    for (SparseMatrix::InnerIterator entry(second, j); entry; ++entry) {
      entry.valueRef() *= 1 + 0.5 * std::sin(static_cast<double>(entry.row() + j));
    }
  }
  SymmetricFactor factor(first);
  factor.factor(first);
  const VectorXd x = factor.solve(ones(first));
  factor.factor(second);
  CHECK(factor.solve(ones(second)) == factored(second).solve(ones(second)));
  CHECK(factor.backward_error() == factored(second).backward_error());
  factor.factor(first);
  CHECK(factor.solve(ones(first)) == x);
  CHECK(factor.signs().positive == factored(first).signs().positive);
}

TEST_CASE("symmetric factor: only the lower triangle is read") {
  SparseMatrix A = grid(5, 0.3);
  const VectorXd x = factored(A).solve(ones(A));
  for (Index j = 0; j < A.cols(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      if (entry.row() < j) entry.valueRef() = 1e9;
    }
  }
  CHECK(factored(A).solve(ones(A)) == x);
}

TEST_CASE("symmetric factor: the smallest pivot is that of the scaled matrix") {
  Symmetric sum(2);
  sum.add(0, 0, 0x1p-40);      // becomes 1
  sum.add(1, 1, -9 * 0x1p60);  // becomes 9/16
  CHECK(factored(sum.matrix()).smallest_pivot() == 0.5625);
  Symmetric pair(2);
  pair.add(0, 1, 0x1p31);
  CHECK(factored(pair.matrix()).smallest_pivot() == 1);
}

// The last pivot of a free chain is rounding, of any sign, and much larger than the eigenvalue that it stands for.
TEST_CASE("symmetric factor: signs are clear where a chain is held, and not where it is free") {
  constexpr Index links = 30;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Symmetric free(links), held(links);
    double before = 0;
    for (Index i = 0; i < links; ++i) {
      const double after = i + 1 < links ? std::ldexp(1.0, static_cast<int>(random.whole(-8, 8))) : 0;
      free.add(i, i, before + after);
      held.add(i, i, before + after + (i == 0 ? 1 : 0));
      if (after > 0) free.add(i, i + 1, -after);
      if (after > 0) held.add(i, i + 1, -after);
      before = after;
    }
    CHECK_FALSE(factored(free.matrix()).has_clear_signs());
    CHECK(factored(held.matrix()).has_clear_signs());
  }
}

TEST_CASE("symmetric factor: what cannot be factored is refused, and what was there before stays") {
  const SparseMatrix A = grid(4, 3.1);
  CHECK_THROWS_AS(SymmetricFactor(SparseMatrix(2, 3)), std::invalid_argument);

  SparseMatrix one_sided(3, 3);
  one_sided.insert(2, 0) = 1;
  CHECK_THROWS_AS(SymmetricFactor{one_sided}, std::invalid_argument);  // not compressed
  one_sided.makeCompressed();
  CHECK_THROWS_AS(SymmetricFactor{one_sided}, std::invalid_argument);
  one_sided.insert(0, 1) = 1;
  one_sided.makeCompressed();
  CHECK_THROWS_AS(SymmetricFactor{one_sided}, std::invalid_argument);

  SymmetricFactor factor(A);
  CHECK_THROWS_AS(factor.signs(), std::logic_error);
  CHECK_THROWS_AS(factor.solve(ones(A)), std::logic_error);
  factor.factor(A);
  const VectorXd x = factor.solve(ones(A));
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    SparseMatrix broken = A;
    broken.coeffRef(5, 5) = bad;
    CHECK_THROWS_AS(factor.factor(broken), Undecided);
  }
  CHECK_THROWS_AS(factor.factor(grid(5, 3.1)), std::invalid_argument);
  SparseMatrix moved = A;  // as many entries in each column
  moved.innerIndexPtr()[1] = 2;
  CHECK_THROWS_AS(factor.factor(moved), std::invalid_argument);
  CHECK_THROWS_AS(factor.solve(VectorXd::Ones(3)), std::invalid_argument);
  CHECK(factor.solve(ones(A)) == x);
}
