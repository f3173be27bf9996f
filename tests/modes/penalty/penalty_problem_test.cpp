// The penalty system with its constraint forces as unknowns: without them it is that of the penalty form.

#include "modes/penalty/penalty_problem.h"

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <complex>
#include <random>

#include "modes/exact_pairs.h"
#include "support/modes/random_systems.h"
#include "support/seeded.h"

using namespace stillpoint;
using Complex = std::complex<double>;
using Eigen::MatrixXcd;
using Eigen::VectorXcd;

namespace {

constexpr double rounding = 1e-11;  // elimination of constraints with factors of up to 10³

struct Penalty {
  explicit Penalty(bool is_symmetric = false) {
    std::mt19937 random(1);
    system = testing::random_system(
        {.coordinates = 7, .constraints = 2, .redundant = 1, .dampers = 2, .follower_forces = !is_symmetric}, random);
    form = penalty_form(system, {.alpha = Eigen::VectorXd{{100}}, .xi = 0.7, .omega = 3});
  }
  LinearSystem system;
  PenaltyForm form;
};

VectorXcd drawn(Random& random, Eigen::Index size) {
  VectorXcd x(size);
  x.real() = random.vector(size, -1, 1);
  x.imag() = random.vector(size, -1, 1);
  return x;
}

constexpr Complex s(-0.4, 1.3);

MatrixXcd matrix_of(const PenaltyProblem& problem, Complex at) {
  ComplexSparseMatrix T;
  problem.put_matrix(at, T);
  return T;
}

}  // namespace

TEST_CASE("penalty problem: eliminating the constraint forces gives s² M_p + s C_p + K_p") {
  const Penalty penalty;
  const PenaltyProblem problem(penalty.system, penalty.form);
  REQUIRE(problem.size() == 10);  // all rows of J take part
  CHECK(problem.coordinates() == 7);
  CHECK(!problem.is_symmetric());
  CHECK(Penalty(true).system.dof() == 5);
  const MatrixXcd T = matrix_of(problem, s);
  const MatrixXcd eliminated = T.topLeftCorner(7, 7) - T.topRightCorner(7, 3) *
                                                           T.bottomRightCorner(3, 3).partialPivLu().inverse() *
                                                           T.bottomLeftCorner(3, 7);
  const BorderedProblem scales(penalty.system, penalty.form.J);
  const auto S = scales.coordinate_scale().asDiagonal();
  const MatrixXcd form = s * s * penalty.form.M.toDense() + s * penalty.form.C.toDense() + penalty.form.K.toDense();
  const MatrixXcd expected = S * form * S;
  CHECK((eliminated - expected).norm() < rounding * expected.norm());
}

TEST_CASE("penalty problem: the derivative is that of T, on both sides") {
  const Penalty penalty;
  const PenaltyProblem problem(penalty.system, penalty.form);
  Random random(2);
  const VectorXcd z = drawn(random, 10);
  const double step = 1e-6;
  const double scaled_step = step / problem.frequency_scale();
  const auto difference = [&](Complex at) -> MatrixXcd {
    return matrix_of(problem, at + step) - matrix_of(problem, at - step);
  };
  const VectorXcd right = difference(s) * z / (2 * scaled_step), left = difference(s).adjoint() * z / (2 * scaled_step);
  CHECK((problem.derivative(s, z) - right).norm() < 1e-7 * right.norm());  // central differences: step² and ε/step
  CHECK((problem.left_derivative(s, z) - left).norm() < 1e-7 * left.norm());
}

TEST_CASE("penalty problem: modal coefficients have the value and the derivative of y'T(s)z at s") {
  const Penalty penalty;
  const PenaltyProblem problem(penalty.system, penalty.form);
  Random random(3);
  const VectorXcd z = drawn(random, 10), y = drawn(random, 10);
  const ModalCoefficients at = problem.modal_coefficients(s, z, y);
  const Complex value = y.dot(matrix_of(problem, s) * z), derivative = y.dot(problem.derivative(s, z));
  CHECK(std::abs(at.value(s) - value) < rounding * at.magnitude(s));
  CHECK(std::abs(at.derivative(s) * problem.frequency_scale() - derivative) < rounding * std::abs(derivative) * 10);
}

TEST_CASE("penalty problem: eigenpairs of the penalty form, with λ = Ξ g(s) J x, have no residual; others have one") {
  const Penalty penalty;
  const PenaltyProblem problem(penalty.system, penalty.form);
  const BorderedProblem scales(penalty.system, penalty.form.J);
  const LinearSystem form =
      testing::system_of(penalty.form.M.toDense(), penalty.form.C.toDense(), penalty.form.K.toDense());
  for (const testing::ExactPair& pair : testing::exact_pairs(form)) {
    CAPTURE(pair.s.imag());
    VectorXcd z = problem.scaled(pair.x);
    const VectorXcd lambda = penalty.form.g(pair.s) * penalty.form.alpha.cwiseProduct(penalty.form.J * pair.x);
    z.tail(3) = lambda.cwiseQuotient(scales.multiplier_scale());
    CHECK(problem.residual(pair.s, z) < rounding);
    CHECK(problem.residual(1.01 * pair.s, z) > 1e-6);
    CHECK((matrix_of(problem, pair.s) * z).norm() < 10 * rounding * z.norm());
    CHECK(problem.violation(z) == doctest::Approx(scales.violation(pair.x)).epsilon(1e-10).scale(0));
  }
}

TEST_CASE("penalty problem: an oscillator without constraints has the condition number 1") {
  const LinearSystem system = testing::system_of(Eigen::MatrixXd{{2}}, Eigen::MatrixXd{{0}}, Eigen::MatrixXd{{50}});
  const PenaltyForm form = penalty_form(system);
  const PenaltyProblem problem(system, form);
  const VectorXcd one = problem.scaled(VectorXcd::Ones(1));
  CHECK(problem.condition({0, 5}, one, one) == doctest::Approx(1));
  CHECK(problem.residual({0, 5}, one) < rounding);
}

TEST_CASE("penalty problem: vectors are scaled and unscaled without rounding") {
  const Penalty penalty;
  const PenaltyProblem problem(penalty.system, penalty.form);
  Random random(5);
  const VectorXcd x = drawn(random, 7), z = problem.scaled(x);
  CHECK(problem.unscaled(z).coordinates == x);
  CHECK(problem.unscaled(z).multipliers.isZero(0));
}
