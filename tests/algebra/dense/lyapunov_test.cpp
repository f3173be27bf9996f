// Gramians: the Lyapunov equation, closed forms, and factors of very different size.

#include "algebra/dense/lyapunov.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <cmath>

#include "stillpoint/error.h"
#include "support/dense_reference.h"
#include "support/seeded.h"

using namespace stillpoint;
using Eigen::MatrixXd;

namespace {

constexpr double rounding = 1e-13;  // relative to the terms of the equation

MatrixXd drawn(Random& random, Eigen::Index rows, Eigen::Index columns) {
  return MatrixXd::NullaryExpr(rows, columns, [&](auto, auto) { return random.between(-1, 1); });
}

/// ‖A P + P Aᵀ + B Bᵀ‖ relative to its terms.
double residual(const MatrixXd& A, const MatrixXd& B, const MatrixXd& L) {
  const MatrixXd P = L * L.transpose(), Q = B * B.transpose();
  return (A * P + P * A.transpose() + Q).norm() / (2 * A.norm() * P.norm() + Q.norm());
}

}  // namespace

TEST_CASE("gramian: of one state it is b² / (−2a)") {
  const MatrixXd L = gramian_factor(MatrixXd{{-3}}, MatrixXd{{1, 2}});
  CHECK(L(0, 0) * L(0, 0) == doctest::Approx(5.0 / 6).epsilon(rounding));
}

TEST_CASE("gramian: of an oscillator that is pushed") {
  // x'' + 2 d x' + w² x = u:  P = diag(1 / (4 d w²), 1 / (4 d))
  constexpr double d = 0.01, w = 3;
  const MatrixXd A{{0, 1}, {-w * w, -2 * d}}, B{{0}, {1}}, L = gramian_factor(A, B), P = L * L.transpose();
  CHECK(P(0, 0) == doctest::Approx(1 / (4 * d * w * w)).epsilon(1e-10));  // conditioned by w/d
  CHECK(P(1, 1) == doctest::Approx(1 / (4 * d)).epsilon(1e-10));
  CHECK(std::abs(P(0, 1)) < 1e-10);
}

TEST_CASE("gramian: the factor solves the equation, with real and complex eigenvalues, few and many inputs") {
  Random random(1);
  for (int draw = 0; draw < 20; ++draw) {
    CAPTURE(draw);
    const Eigen::Index n = random.whole(1, 12), inputs = random.whole(1, 15);
    const MatrixXd drift = drawn(random, n, n);
    const double shift = dense::eigenvalues(drift).real().maxCoeff() + 0.1;
    const MatrixXd A = drift - shift * MatrixXd::Identity(n, n), B = drawn(random, n, inputs);
    const MatrixXd L = gramian_factor(A, B);
    REQUIRE(L.rows() == n);
    REQUIRE(L.cols() == n);
    CHECK(residual(A, B, L) < rounding);
  }
}

TEST_CASE("gramian: a defective state matrix") {
  MatrixXd A = -MatrixXd::Identity(3, 3);
  A(0, 1) = A(1, 2) = 1;
  const MatrixXd B{{0}, {0}, {1}}, L = gramian_factor(A, B);
  CHECK(residual(A, B, L) < rounding);
  CHECK(L.row(2).squaredNorm() == doctest::Approx(0.5).epsilon(rounding));
}

TEST_CASE("gramian: states that no input moves have none") {
  const MatrixXd A{{-1, 0.5}, {0, -2}}, B{{1}, {0}}, L = gramian_factor(A, B);
  CHECK(L.row(1).norm() == 0);
  CHECK(L.row(0).squaredNorm() == doctest::Approx(0.5).epsilon(rounding));
  CHECK(gramian_factor(A, MatrixXd(2, 0)).isZero(0));
  CHECK(gramian_factor(MatrixXd(0, 0), MatrixXd(0, 1)).size() == 0);
}

TEST_CASE("gramian: a weakly moved state keeps its digits in the factor, though its square is below rounding") {
  constexpr double weak = 1e-12;
  const MatrixXd A{{-1, 0}, {0, -2}}, B{{1, 0}, {0, weak}}, L = gramian_factor(A, B);
  CHECK(L.row(1).norm() / (weak / 2) == doctest::Approx(1).epsilon(rounding));
  // The least singular value of the factor is that of the second state, not √ε of the first.
  CHECK(dense::singular_values(L)[1] / (weak / 2) == doctest::Approx(1).epsilon(1e-3));
}

TEST_CASE("Gramian: where an eigenvalue is not in the left half plane there is none") {
  const Eigen::MatrixXd B = Eigen::MatrixXd::Ones(2, 1);
  CHECK_THROWS_AS(gramian_factor(Eigen::MatrixXd{{-1, 0}, {0, 0}}, B), Undecided);
  CHECK_THROWS_AS(gramian_factor(Eigen::MatrixXd{{-1, 0}, {0, 1e-14}}, B), Undecided);
}
