// Ruiz equilibration by congruence, in powers of two.

#include "algebra/scaling/congruence_scaling.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <cmath>

#include "support/seeded.h"

using namespace stillpoint;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

VectorXd scales_of(const MatrixXd& A) {
  const std::vector<double> scale = congruence_scaling(A.sparseView());
  return Eigen::Map<const VectorXd>(scale.data(), static_cast<Eigen::Index>(scale.size()));
}

VectorXd largest_in_rows(const MatrixXd& A, const VectorXd& s) {
  return (s.asDiagonal() * A * s.asDiagonal()).cwiseAbs().rowwise().maxCoeff();
}

/// A symmetric matrix in which coordinate i is measured in units of its own, over twelve decades.
MatrixXd in_mixed_units(Random& random, Eigen::Index n) {
  MatrixXd A = MatrixXd::NullaryExpr(n, n, [&](auto, auto) { return random.maybe(0.5) ? random.entry() : 0.0; });
  A = (A + A.transpose()).eval();
  A.diagonal().array() += 3;
  VectorXd units(n);
  for (double& unit : units) unit = random.scaled(1e-6, 1e6);
  return units.asDiagonal() * A * units.asDiagonal();
}

}  // namespace

TEST_CASE("congruence scaling: the largest entry of every row is between a half and two") {
  Random random(1);
  for (int draw = 0; draw < 50; ++draw) {
    CAPTURE(draw);
    const MatrixXd A = in_mixed_units(random, random.whole(1, 12));
    const VectorXd largest = largest_in_rows(A, scales_of(A));
    CHECK(largest.minCoeff() >= 0.5);
    CHECK(largest.maxCoeff() < 2);
  }
}

TEST_CASE("congruence scaling: without a diagonal, too, as constraints have none") {
  // Two coordinates of stiffness 10¹⁰ and 10⁻¹⁰, a constraint on each of them, one on both.
  MatrixXd A = MatrixXd::Zero(5, 5);
  A.diagonal().head(2) << 1e10, 1e-10;
  A(2, 0) = A(0, 2) = 1e-3;
  A(3, 1) = A(1, 3) = 1e6;
  A(4, 0) = A(0, 4) = A(4, 1) = A(1, 4) = 1;
  const VectorXd largest = largest_in_rows(A, scales_of(A));
  CHECK(largest.minCoeff() >= 0.5);
  CHECK(largest.maxCoeff() < 2);
}

TEST_CASE("congruence scaling: all scales are powers of two, and a matrix that is scaled already keeps the scale one") {
  Random random(2);
  const MatrixXd A = in_mixed_units(random, 10);
  const VectorXd s = scales_of(A);
  for (const double scale : s) CHECK(std::exp2(std::round(std::log2(scale))) == scale);
  CHECK(scales_of(s.asDiagonal() * A * s.asDiagonal()) == VectorXd::Ones(10));
}

TEST_CASE("congruence scaling: rows of zeros keep the scale one, and only the lower triangle is read") {
  MatrixXd A = MatrixXd::Zero(3, 3);
  A(0, 0) = 1e8;
  A(2, 2) = 1e-8;
  const VectorXd s = scales_of(A);
  CHECK(s[1] == 1);
  CHECK(largest_in_rows(A, s)[0] == doctest::Approx(1).epsilon(0.5));
  MatrixXd with_upper = A;
  with_upper(0, 1) = 1e30;
  CHECK(scales_of(with_upper) == s);
}
