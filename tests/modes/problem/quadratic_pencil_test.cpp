// The bordered pencil B(s): its entries, its determinant, and factorisations of it.

#include "modes/problem/quadratic_pencil.h"

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <cmath>
#include <complex>
#include <random>

#include "modes/exact_pairs.h"
#include "support/forms/systems.h"
#include "support/modes/random_systems.h"
#include "support/seeded.h"

using namespace stillpoint;
using Complex = std::complex<double>;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

namespace {

constexpr double rounding = 1e-12;  // solutions with matrices of order ten and condition numbers up to 10³

LinearSystem some_system(bool is_symmetric) {
  std::mt19937 random(3);
  return testing::random_system({.coordinates = 8, .constraints = 2, .dampers = 2, .follower_forces = !is_symmetric},
                                random);
}

/// [a M + b C + c K, c Jᵀ; c J, 0], scaled.
MatrixXcd bordered(const BorderedProblem& problem, Complex a, Complex b, Complex c) {
  const Eigen::Index n = problem.M().rows(), r = problem.J().rows();
  MatrixXcd B = MatrixXcd::Zero(n + r, n + r);
  B.topLeftCorner(n, n) =
      a * problem.M().copy().toDense() + b * problem.C().copy().toDense() + c * problem.K().copy().toDense();
  B.bottomLeftCorner(r, n) = c * problem.J().copy().toDense();
  B.topRightCorner(n, r) = B.bottomLeftCorner(r, n).transpose();
  return B;
}

}  // namespace

TEST_CASE("quadratic pencil: its entries are those of the blocks, at real and complex s, in one pattern") {
  for (const bool is_symmetric : {true, false}) {
    const LinearSystem system = some_system(is_symmetric);
    const BorderedProblem problem(system);
    const QuadraticPencil pencil(problem);
    const Complex s(-0.4, 1.7);
    CHECK(pencil.is_symmetric() == is_symmetric);
    CHECK(pencil.size() == 10);
    CHECK(pencil.dof() == 6);
    CHECK((MatrixXcd(pencil.matrix(s)) - bordered(problem, s * s, s, 1)).norm() < rounding);
    CHECK((pencil.matrix(-2.5).toDense() - bordered(problem, 6.25, -2.5, 1).real()).norm() < rounding);
    CHECK((pencil.combination(3, -2, 0.5).toDense() - bordered(problem, 3, -2, 0.5).real()).norm() < rounding);
    CHECK(pencil.matrix(s).nonZeros() == pencil.pattern().nonZeros());
  }
}

TEST_CASE("quadratic pencil: its determinant is that on the motions, but for a constant factor") {
  const LinearSystem system = some_system(false);
  const BorderedProblem problem(system);
  const QuadraticPencil pencil(problem);
  const MatrixXd Z = dense::null_space(problem.J().copy().toDense());
  const auto ratio = [&](Complex s) {
    const MatrixXcd P = bordered(problem, s * s, s, 1).topLeftCorner(8, 8), on_motions = Z.transpose() * P * Z;
    return MatrixXcd(pencil.matrix(s)).partialPivLu().determinant() / on_motions.partialPivLu().determinant();
  };
  const Complex first = ratio({0.3, 0.2});
  for (const Complex s : {Complex(-1, 2), Complex(0, 0.01), Complex(5, -3), Complex(-0.2, 0)})
    CHECK(std::abs(ratio(s) / first - 1.0) < 1e-10);  // determinants of condition numbers up to 10⁴
}

TEST_CASE("quadratic pencil: it is singular at the eigenvalues and nowhere else") {
  const LinearSystem system = some_system(false);
  const BorderedProblem problem(system);
  const QuadraticPencil pencil(problem);
  ComplexLu lu(pencil.pattern());
  for (const testing::ExactPair& pair : testing::exact_pairs(system)) {
    const auto least_pivot = [&](Complex s) {  // |B⁻¹ b| is large where B is nearly singular
      REQUIRE(lu.factor_nearly_singular(pencil.matrix(s / problem.frequency_scale())));
      return 1 / lu.solve(VectorXcd::Ones(10)).norm();
    };
    CHECK(least_pivot(pair.s) < 1e-8);
    CHECK(least_pivot(pair.s * Complex(1.02, 0.01)) > 1e-6);
  }
}

TEST_CASE("quadratic pencil: passive means neither negative mass nor damping that supplies energy") {
  const MatrixXd unit = MatrixXd::Identity(2, 2), skew{{0, 1}, {-1, 0}};
  MatrixXd negative = unit;
  negative(1, 1) = -0.1;
  const auto is_passive = [&](const MatrixXd& M, const MatrixXd& C) {
    const LinearSystem system = system_of(M, unit, {}, C);
    const BorderedProblem problem(system);
    return QuadraticPencil(problem).is_passive();
  };
  CHECK(is_passive(unit, unit));
  CHECK(is_passive(unit, skew));
  CHECK(is_passive(unit, 0 * unit));
  CHECK(!is_passive(unit, negative));
  CHECK(!is_passive(negative, unit));
}

TEST_CASE_TEMPLATE("shifted quadratic: solutions with B(σ), and projections onto the constraints", Scalar, double,
                   Complex) {
  Scalar sigma;
  if constexpr (std::is_same_v<Scalar, double>) sigma = -0.3;
  else sigma = Complex(-0.1, 0.8);
  for (const bool is_symmetric : {true, false}) {
    const LinearSystem system = some_system(is_symmetric);
    const BorderedProblem problem(system);
    const QuadraticPencil pencil(problem);
    ShiftedQuadratic<Scalar> shifted(pencil);
    REQUIRE(shifted.shift(sigma));
    CHECK(shifted.at() == sigma);
    Random random(1);
    const Eigen::VectorX<Scalar> b = random.vector(10, -1, 1).cast<Scalar>(), z = shifted.solve(b);
    CHECK((pencil.matrix(sigma) * z - b).norm() < rounding * (1 + z.norm()));
    const Eigen::VectorX<Scalar> x = random.vector(8, -1, 1).cast<Scalar>(), projected = shifted.project(x);
    CHECK((problem.J() * projected).norm() < rounding * (1 + projected.norm()));
    CHECK((shifted.project(projected) - projected).norm() < rounding * (1 + projected.norm()));
    CHECK((projected - x).norm() > 0.01);
  }
}

TEST_CASE("shifted quadratic: a shift at an eigenvalue is refused") {
  const LinearSystem system = system_of(MatrixXd{{1}}, MatrixXd{{2}}, {}, MatrixXd{{3}});  // s = −1 and −2
  const BorderedProblem problem(system);
  const QuadraticPencil pencil(problem);
  ShiftedQuadratic<double> shifted(pencil);
  CHECK(!shifted.shift(-1 / problem.frequency_scale()));
  CHECK(!shifted.shift(-2 / problem.frequency_scale()));
  CHECK(shifted.shift(-1.5 / problem.frequency_scale()));
}
