// Partial factorisation of a dense front: F = L D Lᵀ + C with bounded growth, and unknowns that must be delayed.

#include "algebra/ldlt/front_pivoting.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <numeric>

#include "support/dense_reference.h"
#include "support/seeded.h"

using namespace stillpoint;
using Eigen::MatrixXd;

namespace {

// Sums of up to 60 products; no entry grows by more than a factor of 11 in each step, in practice by two or three in
// all.
constexpr double rounding = 1e-11;

struct Eliminated {
  MatrixXd L, D, rest;
  std::vector<Index> position;
  Pivots pivots;
};

Eliminated eliminate(const MatrixXd& F, Index candidates) {
  const auto n = static_cast<Index>(F.rows());
  MatrixXd entries = F.triangularView<Eigen::Lower>();
  Eliminated result;
  result.position.resize(static_cast<std::size_t>(n));
  std::iota(result.position.begin(), result.position.end(), 0);
  Front front{.entries = entries.data(),
              .stride = n,
              .size = n,
              .candidates = candidates,
              .position = result.position.data(),
              .largest = F.cwiseAbs().maxCoeff()};
  FrontPivoting pivoting;
  result.pivots = pivoting.eliminate(front);
  const Index count = result.pivots.count;
  result.L = MatrixXd::Zero(n, count);
  result.D = MatrixXd::Zero(count, count);
  for (Index k = 0; k < count; ++k) {
    const auto at = static_cast<std::size_t>(k);
    result.L(k, k) = 1;
    result.L.col(k).tail(n - k - 1) = entries.col(k).tail(n - k - 1);
    result.D(k, k) = result.pivots.diagonal[at];
    if (result.pivots.below[at] != 0) result.D(k, k + 1) = result.D(k + 1, k) = result.pivots.below[at];
  }
  result.rest = MatrixXd::Zero(n, n);
  const MatrixXd trailing = entries.bottomRightCorner(n - count, n - count);
  result.rest.bottomRightCorner(n - count, n - count) = trailing.selfadjointView<Eigen::Lower>();
  return result;
}

MatrixXd product(const Eliminated& found) { return found.L * found.D * found.L.transpose() + found.rest; }

MatrixXd symmetric(Random& random, Eigen::Index n) {
  const MatrixXd A = MatrixXd::NullaryExpr(n, n, [&](auto, auto) { return random.between(-1, 1); });
  return A + A.transpose();
}

}  // namespace

TEST_CASE("front pivoting: without a border everything is eliminated, F = L D L' up to the exchange of rows") {
  Random random(1);
  for (const Index n : {1, 2, 5, 30, 60}) {  // 60: more than one panel
    CAPTURE(n);
    const MatrixXd F = symmetric(random, n);
    const Eliminated found = eliminate(F, n);
    REQUIRE(found.pivots.count == n);
    CHECK((product(found) - F(found.position, found.position)).cwiseAbs().maxCoeff() < rounding);
    CHECK(found.L.cwiseAbs().maxCoeff() <= 10 * (1 + rounding));  // 1/u
    const Eigen::VectorXd signs = dense::symmetric_eigenvalues(F), pivots = dense::symmetric_eigenvalues(found.D);
    CHECK((signs.array() < 0).count() == (pivots.array() < 0).count());  // Sylvester's law of inertia
  }
}

TEST_CASE("front pivoting: with a border what remains is the contribution to the parent") {
  Random random(2);
  for (int draw = 0; draw < 20; ++draw) {
    CAPTURE(draw);
    const Index n = random.whole(2, 20), candidates = random.whole(1, n);
    const MatrixXd F = symmetric(random, n);
    const Eliminated found = eliminate(F, candidates);
    CHECK(found.pivots.count <= candidates);
    CHECK((product(found) - F(found.position, found.position)).cwiseAbs().maxCoeff() < rounding);
    for (Index i = candidates; i < n; ++i) CHECK(found.position[static_cast<std::size_t>(i)] == i);
  }
}

TEST_CASE("front pivoting: a zero diagonal needs pairs") {
  MatrixXd F = MatrixXd::Zero(4, 4);
  F(1, 0) = F(0, 1) = 2;
  F(3, 2) = F(2, 3) = -3;
  const Eliminated found = eliminate(F, 4);
  REQUIRE(found.pivots.count == 4);
  CHECK(found.pivots.below[0] != 0);
  CHECK(found.pivots.below[2] != 0);
  CHECK(product(found) == F(found.position, found.position));
}

TEST_CASE("front pivoting: a candidate that is small beside the border is delayed") {
  MatrixXd F(3, 3);
  F << 1, 0, 0, 0, 1e-3, 1, 0, 1, 5;
  const Eliminated found = eliminate(F, 2);  // the pivot 10⁻³ would let the border grow by a factor of 1000
  CHECK(found.pivots.count == 1);
  CHECK(found.position[1] == 1);
  F(1, 1) = 0.2;
  CHECK(eliminate(F, 2).pivots.count == 2);
}

TEST_CASE("front pivoting: a column of rounding errors is taken as zero, and what is dropped is reported") {
  MatrixXd F(3, 3);
  F << 4, 2, 1, 2, 1, 0.5, 1, 0.5, 3;
  F(1, 1) += 1e-16;  // the second row is half of the first
  const Eliminated found = eliminate(F, 3);
  REQUIRE(found.pivots.count == 3);
  int zeros = 0;
  for (Index k = 0; k < 3; ++k) zeros += found.pivots.diagonal[static_cast<std::size_t>(k)] == 0;
  CHECK(zeros == 1);
  REQUIRE(found.pivots.dropped.size() >= 3);
  for (const double dropped : found.pivots.dropped) CHECK(dropped < 1e-14);
  CHECK(eliminate(MatrixXd::Identity(3, 3), 3).pivots.dropped.empty());
}
