// TOAR: the invariants of the basis, and eigenvalues θ of θ² x = A (θ x) + B x against those of a dense linearisation.

#include "algebra/krylov/toar.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>
#include <complex>
#include <limits>

#include "algebra/dense/complex_lapack.h"
#include "algebra/sparse/random_start.h"
#include "support/dense_reference.h"
#include "support/seeded.h"

using namespace stillpoint;
using Complex = std::complex<double>;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

namespace {

// Orthogonalisation to working precision.
constexpr double orthogonal = 1e-13;
// Eigenvalues of random matrices of order 20 have condition numbers up to some hundred.
constexpr double rounding = 1e-11;

constexpr Index n = 10;

template <class Scalar>
struct Problem {
  Eigen::MatrixX<Scalar> A, B;
  SparseMatrix N;

  SecondOrderOperator<Scalar> both() const {
    using Vector = Eigen::VectorX<Scalar>;
    return {[this](const Vector& v, const Vector& w) -> Vector { return A * v + B * w; },
            [](const Vector& x) { return x; }, [](const Vector&) { return 0.0; }};
  }
  VectorXcd values() const {
    Eigen::MatrixX<Scalar> linear = Eigen::MatrixX<Scalar>::Zero(2 * A.rows(), 2 * A.rows());
    linear << A, B, Eigen::MatrixX<Scalar>::Identity(A.rows(), A.rows()),
        Eigen::MatrixX<Scalar>::Zero(A.rows(), A.rows());
    VectorXcd values = solve_unsymmetric(linear).values;
    std::sort(values.begin(), values.end(), [](Complex a, Complex b) { return std::abs(a) > std::abs(b); });
    return values;
  }
  /// ‖θ² x − A θ x − B x‖ relative to its terms.
  double residual(Complex theta, const VectorXcd& x) const {
    const VectorXcd a = theta * theta * x, b = theta * (A * x), c = B * x;
    return (a - b - c).norm() / (a.norm() + b.norm() + c.norm());
  }
};

MatrixXd drawn(Random& random, Eigen::Index size) {
  return MatrixXd::NullaryExpr(size, size, [&](auto, auto) { return random.between(-1, 1); });
}

SparseMatrix weights() {
  MatrixXd N = VectorXd::LinSpaced(n, 1, 4).asDiagonal();
  N.diagonal(1).setConstant(0.3);
  N.diagonal(-1).setConstant(0.3);
  return N.sparseView();
}

Problem<double> real_problem(std::uint64_t seed) {
  Random random(seed);
  const MatrixXd A = drawn(random, n);
  return {A, drawn(random, n), weights()};
}

Problem<Complex> complex_problem() {
  Random random(3);
  const MatrixXd a = drawn(random, n), b = drawn(random, n), c = drawn(random, n), d = drawn(random, n);
  return {a + Complex(0, 1) * b, c + Complex(0, 1) * d, weights()};
}

template <class Scalar>
SecondOrderStart<Scalar> start(unsigned seed = 1) {
  return {random_start(n, seed).cast<Scalar>(), random_start(n, seed + 100).cast<Scalar>(), 3};
}

template <class Scalar>
void fill(SecondOrderKrylov<Scalar>& basis) {
  while (!basis.is_full() && !basis.is_complete()) basis.grow();
}

/// The halves (Q p_j, Q r_j) of all basis vectors below each other. vector() takes the upper one for large values.
template <class Scalar>
MatrixXcd basis_vectors(const SecondOrderKrylov<Scalar>& basis) {
  QuadraticRitz unit;
  unit.coefficients = MatrixXcd::Identity(basis.size(), basis.size());
  MatrixXcd u(2 * n, basis.size());
  for (Index k = 0; k < basis.size(); ++k) {
    unit.values = VectorXcd::Constant(basis.size(), 1e100);
    u.col(k).head(n) = basis.vector(unit, k);
    unit.values.setZero();
    u.col(k).tail(n) = basis.vector(unit, k);
  }
  return u;
}

/// The largest distance of a value from the nearest of the others.
double distance(const VectorXcd& from, const VectorXcd& to) {
  double largest = 0;
  for (const Complex value : from) largest = std::max(largest, (to.array() - value).abs().minCoeff());
  return largest;
}

}  // namespace

TEST_CASE_TEMPLATE("TOAR: the basis is N-orthonormal, also after restarts", Scalar, double, Complex) {
  Problem<Scalar> problem;
  if constexpr (std::is_same_v<Scalar, double>) problem = real_problem(1);
  else problem = complex_problem();
  SecondOrderKrylov<Scalar> basis(problem.both(), problem.N, start<Scalar>(), 12, 2 * n);
  for (int restart = 0; restart < 5; ++restart) {
    fill(basis);
    CAPTURE(restart);
    const MatrixXcd u = basis_vectors(basis), top = u.topRows(n), bottom = u.bottomRows(n);
    const MatrixXcd products = top.adjoint() * (problem.N * top) + bottom.adjoint() * (problem.N * bottom);
    CHECK((products - MatrixXcd::Identity(basis.size(), basis.size())).cwiseAbs().maxCoeff() < orthogonal);
    basis.restart(6);
  }
}

TEST_CASE("TOAR: the residuals are those of the linearised problem, also after restarts") {
  const Problem<double> problem = real_problem(2);
  constexpr double rho = 3;
  SecondOrderKrylov<double> basis(problem.both(), problem.N, start<double>(), 9, 2 * n);
  for (int restart = 0; restart < 3; ++restart) {
    fill(basis);
    const QuadraticRitz ritz = basis.ritz();
    const MatrixXcd u = basis_vectors(basis) * ritz.coefficients;
    for (Index k = 0; k < ritz.size(); ++k) {
      CAPTURE(k);
      const VectorXcd v = u.col(k).head(n), w = u.col(k).tail(n), theta_v = problem.A * v + problem.B * w / rho;
      const VectorXcd upper = theta_v - ritz.values[k] * v, lower = rho * v - ritz.values[k] * w;
      const double residual = std::sqrt((upper.dot(problem.N * upper) + lower.dot(problem.N * lower)).real());
      CHECK(residual == doctest::Approx(ritz.residuals[k]).epsilon(rounding));
    }
    basis.restart(4);
  }
}

TEST_CASE_TEMPLATE("TOAR: a complete basis has all eigenvalues", Scalar, double, Complex) {
  Problem<Scalar> problem;
  if constexpr (std::is_same_v<Scalar, double>) problem = real_problem(4);
  else problem = complex_problem();
  SecondOrderKrylov<Scalar> basis(problem.both(), problem.N, start<Scalar>(), 2 * n, 2 * n);
  fill(basis);
  CHECK(basis.is_complete());
  const QuadraticRitz ritz = basis.ritz();
  const VectorXcd exact = problem.values();
  REQUIRE(ritz.size() == 2 * n);
  CHECK(distance(ritz.values, exact) < rounding * std::abs(exact[0]));
  CHECK(distance(exact, ritz.values) < rounding * std::abs(exact[0]));
  for (Index k = 0; k < ritz.size(); ++k) CHECK(problem.residual(ritz.values[k], basis.vector(ritz, k)) < rounding);
}

TEST_CASE("TOAR: restarts converge to the values of largest magnitude, each pair complete, the upper one first") {
  for (const std::uint64_t seed : {5, 6, 7}) {
    CAPTURE(seed);
    const Problem<double> problem = real_problem(seed);
    SecondOrderKrylov<double> basis(problem.both(), problem.N, start<double>(), 12, 2 * n);
    for (int restart = 0; restart < 60; ++restart) {
      fill(basis);
      basis.restart(6);
    }
    fill(basis);
    const QuadraticRitz ritz = basis.ritz();
    CHECK(ritz.converged(rounding) >= 3);
    CHECK(distance(ritz.values.head(3), problem.values().head(4)) < rounding * std::abs(ritz.values[0]));
    for (Index k = 0; k + 1 < ritz.size(); ++k) {
      if (ritz.values[k].imag() <= 0) continue;
      CHECK(ritz.values[k + 1] == std::conj(ritz.values[k]));
      ++k;
    }
  }
}

TEST_CASE("TOAR: a restart does not split a conjugate pair") {
  // θ² = −4 and θ² = −1: two pairs of imaginary values
  Problem<double> problem{MatrixXd::Zero(2, 2), VectorXd{{-4, -1}}.asDiagonal().toDenseMatrix(), {}};
  problem.N.resize(2, 2);
  problem.N.setIdentity();
  SecondOrderKrylov<double> basis(problem.both(), problem.N, {random_start(2, 1), random_start(2, 2), 2}, 4, 4);
  fill(basis);
  basis.restart(1);
  CHECK(basis.size() == 2);
  CHECK(distance(basis.ritz().values, VectorXcd{{Complex(0, 2), Complex(0, -2)}}) < rounding);
}

TEST_CASE("TOAR: another start vector finds the second vector of every double eigenvalue") {
  const Problem<double> one = real_problem(8);
  Problem<double> two{MatrixXd::Zero(n, n), MatrixXd::Zero(n, n), one.N};
  for (const Index at : {0, n / 2}) {
    two.A.block(at, at, n / 2, n / 2) = one.A.topLeftCorner(n / 2, n / 2);
    two.B.block(at, at, n / 2, n / 2) = one.B.topLeftCorner(n / 2, n / 2);
  }
  const VectorXcd exact = two.values();
  SecondOrderKrylov<double> basis(two.both(), two.N, start<double>(), n, 2 * n);
  fill(basis);
  REQUIRE(basis.ritz().converged(rounding) == n);
  CHECK(distance(exact, basis.ritz().values) < rounding * std::abs(exact[0]));
  basis.restart(n, start<double>(7), n);
  fill(basis);
  const QuadraticRitz ritz = basis.ritz();
  REQUIRE(ritz.size() == 2 * n);
  // The values as often as they exist; double ones that are not defective keep half of the digits at least.
  CHECK((VectorXd(ritz.values.cwiseAbs()) - VectorXd(exact.cwiseAbs())).cwiseAbs().maxCoeff() < 1e-7);
  for (Index k = 0; k < ritz.size(); ++k) CHECK(two.residual(ritz.values[k], basis.vector(ritz, k)) < rounding);
}
