// The scaled problem with its constraints: eigenpairs solve it, and its quotients and norms are those of the matrices.

#include "modes/problem/bordered_problem.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
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

// The dense reference has eigenpairs to about cond ε.
constexpr double reference = 1e-10;
constexpr double rounding = 1e-12;  // sums of some ten products

LinearSystem general_system(unsigned seed) {
  std::mt19937 random(seed);
  return testing::random_system({.coordinates = 8, .constraints = 2, .dampers = 3, .follower_forces = true}, random);
}

bool is_power_of_two(double x) { return std::exp2(std::round(std::log2(x))) == x; }

VectorXcd drawn(Random& random, Eigen::Index size) {
  VectorXcd x(size);
  x.real() = random.vector(size, -1, 1);
  x.imag() = random.vector(size, -1, 1);
  return x;
}

}  // namespace

TEST_CASE("bordered problem: scaled by powers of two, so that no number is rounded and none is large") {
  const LinearSystem system = general_system(1);
  const BorderedProblem problem(system);
  const VectorXd &S = problem.coordinate_scale(), &W = problem.multiplier_scale();
  const double gamma = problem.frequency_scale();
  CHECK(is_power_of_two(gamma));
  for (const double scale : S) CHECK(is_power_of_two(scale));
  for (const double scale : W) CHECK(is_power_of_two(scale));
  CHECK(problem.M().copy().toDense() == MatrixXd(gamma * gamma * S.asDiagonal() * system.M.toDense() * S.asDiagonal()));
  CHECK(problem.C().copy().toDense() == MatrixXd(gamma * S.asDiagonal() * system.C.toDense() * S.asDiagonal()));
  CHECK(problem.K().copy().toDense() == MatrixXd(S.asDiagonal() * system.K.toDense() * S.asDiagonal()));
  CHECK(problem.J().copy().toDense() == MatrixXd(W.asDiagonal() * system.J.toDense() * S.asDiagonal()));
  for (const ScaledMatrix& A : {problem.M(), problem.C(), problem.K(), problem.J()})
    CHECK(A.copy().toDense().cwiseAbs().maxCoeff() < 2);
}

TEST_CASE("bordered problem: only independent rows of J take part, unless others are given") {
  MatrixXd J(3, 3);
  J << 1, -1, 0, 2, -2, 0, 0, 1, 1;
  const LinearSystem system = system_of(MatrixXd::Identity(3, 3), MatrixXd::Identity(3, 3), J);
  CHECK(BorderedProblem(system).J().rows() == 2);
  CHECK(BorderedProblem(system, system.J).J().rows() == 3);
}

TEST_CASE("bordered problem: eigenpairs with their multipliers leave the residual of rounding, on both sides") {
  for (const unsigned seed : {1, 2, 3}) {
    const LinearSystem system = general_system(seed);
    const BorderedProblem problem(system);
    for (const auto& [s, x, y] : testing::exact_pairs(system)) {
      const double real = s.real();
      CAPTURE(real);
      const BorderedVector right = problem.with_multipliers(s, x), left = problem.with_left_multipliers(s, y);
      const VectorXcd forces = problem.forces(right.multipliers);
      CHECK((forces - system.J.transpose() * right.multipliers).norm() <= rounding * forces.norm());
      CHECK(problem.residual(s, x, forces) < reference);
      CHECK(problem.violation(x) < reference);
      const MatrixXcd P = s * s * system.M.toDense() + s * system.C.toDense() + system.K.toDense();
      const VectorXcd balance = P.adjoint() * y + system.J.transpose() * left.multipliers;
      CHECK(balance.norm() < reference * P.norm());
    }
  }
}

TEST_CASE("bordered problem: a vector that breaks a constraint, or no force balance, has a residual") {
  const LinearSystem system = general_system(1);
  const BorderedProblem problem(system);
  const testing::ExactPair pair = testing::exact_pairs(system)[0];
  const auto residual = [&](Complex s, const VectorXcd& x) {
    return problem.residual(s, x, problem.forces(problem.with_multipliers(s, x).multipliers));
  };
  CHECK(residual(1.1 * pair.s, pair.x) > 1e-4);
  const VectorXcd off = system.J.transpose() * VectorXd{{1, 0}}, broken = pair.x + 0.1 * off / off.norm();
  CHECK(problem.violation(broken) > 1e-3);
  CHECK(residual(pair.s, broken) >= problem.violation(broken));
}

TEST_CASE("bordered problem: modal coefficients are y'Mx, y'Cx, and y'Kx with the terms of the constraints") {
  const LinearSystem system = general_system(4);
  const BorderedProblem problem(system);
  Random random(1);
  const BorderedVector x{drawn(random, 8), drawn(random, 2)}, y{drawn(random, 8), drawn(random, 2)};
  const ModalCoefficients at = problem.modal_coefficients(x, y);
  const VectorXcd &q = x.coordinates, &p = y.coordinates;
  const Complex k =
      p.dot(system.K * q) + VectorXcd(system.J * p).dot(x.multipliers) + y.multipliers.dot(VectorXcd(system.J * q));
  CHECK(std::abs(at.m - p.dot(system.M * q)) < rounding * at.m_magnitude);
  CHECK(std::abs(at.c - p.dot(system.C * q)) < rounding * at.c_magnitude);
  CHECK(std::abs(at.k - k) < rounding * at.k_magnitude);
  CHECK(at.m_magnitude == doctest::Approx(p.cwiseAbs().dot(system.M.toDense().cwiseAbs() * q.cwiseAbs())));
  const Complex s(-0.3, 2);
  CHECK(std::abs(at.derivative(s) - p.dot(problem.derivative(s, q))) < 1e-10 * std::abs(at.derivative(s)));
}

TEST_CASE("bordered problem: scaled derivatives are those of both sides, without multipliers") {
  const LinearSystem system = general_system(5);
  const BorderedProblem problem(system);
  Random random(2);
  const VectorXcd x = drawn(random, 8);
  const Complex s(-1, 3);
  // Scaled: γ S P'(s) x for the unscaled x.
  const auto in_scale = [&](const MatrixXcd& derivative) -> VectorXcd {
    return problem.frequency_scale() * problem.coordinate_scale().asDiagonal() * (derivative * x);
  };
  const MatrixXcd derivative = 2.0 * s * system.M.toDense() + system.C.toDense().cast<Complex>();
  const VectorXcd right = problem.scaled_derivative(s, x), left = problem.scaled_left_derivative(s, x);
  CHECK((right.head(8) - in_scale(derivative)).norm() < rounding * right.norm());
  CHECK((left.head(8) - in_scale(derivative.adjoint())).norm() < rounding * left.norm());
  CHECK(right.tail(2).isZero(0));
  CHECK(left.tail(2).isZero(0));
}

TEST_CASE("bordered problem: in a symmetric problem the multipliers of a conjugate left vector follow from the right") {
  std::mt19937 engine(6);
  const LinearSystem system = testing::random_system({.coordinates = 8, .constraints = 3, .dampers = 2}, engine);
  const BorderedProblem problem(system);
  CHECK(problem.is_symmetric());
  const LinearSystem general = general_system(1);
  CHECK(!BorderedProblem(general).is_symmetric());
  const testing::ExactPair pair = testing::exact_pairs(system)[2];
  const BorderedVector right = problem.with_multipliers(pair.s, pair.x);
  const VectorXcd y = Complex(0, 3) * pair.x.conjugate();
  const VectorXcd mu = problem.with_left_multipliers(pair.s, y).multipliers;
  CHECK((problem.with_left_multipliers(pair.s, y, right).multipliers - mu).norm() < reference * mu.norm());
}

TEST_CASE("bordered problem: an oscillator has the condition number 1, and zero none") {
  const LinearSystem system = system_of(MatrixXd{{2}}, MatrixXd{{50}});
  const BorderedProblem problem(system);
  const VectorXcd one = VectorXcd::Ones(1);
  CHECK(problem.condition({0, 5}, one, one) == doctest::Approx(1));
  CHECK(std::isinf(problem.condition(0, one, one)));
  const double unit = std::pow(problem.coordinate_scale()[0], 2);
  CHECK(problem.norm({0, 5}) == doctest::Approx(unit * (25 * 2 + 50)));
}
