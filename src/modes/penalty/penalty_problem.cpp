#include "modes/penalty/penalty_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Vector = Eigen::VectorXcd;

// Returns the largest entry; 0 for a vector without entries.
double largest_of(const Eigen::VectorXd& x) { return x.size() > 0 ? x.maxCoeff() : 0; }

}  // namespace

PenaltyProblem::PenaltyProblem(const LinearSystem& system, const PenaltyForm& law)
    : law_(law),
      problem_(system, law.J),
      pencil_(problem_),
      compliance_(problem_.multiplier_scale().cwiseAbs2().cwiseQuotient(law.alpha)) {}

void PenaltyProblem::put_matrix(Complex s, ComplexSparseMatrix& T) const {
  if (T.cols() == 0) pencil_.matrix(s / frequency_scale()).swap(T);
  else pencil_.put_values(s / frequency_scale(), T);
  const Complex g = law_.g(s);
  for (Index i = 0; i < static_cast<Index>(compliance_.size()); ++i) {
    T.coeffRef(coordinates() + i, coordinates() + i) -= compliance_[i] / g;
  }
}

// Returns the derivative of −Ξ⁻¹ / g(s) times λ, with respect to the scaled s.
Vector PenaltyProblem::constraint_derivative(Complex s, const Vector& z) const {
  const Complex g = law_.g(s), g_derivative = 2.0 * (s + law_.xi * law_.omega);
  return (frequency_scale() * g_derivative / (g * g)) * compliance_.cwiseProduct(z.tail(compliance_.size()));
}

Vector PenaltyProblem::derivative(Complex s, const Vector& z) const {
  Vector both = problem_.scaled_derivative(s, problem_.unscaled(z).coordinates);
  both.tail(compliance_.size()) = constraint_derivative(s, z);
  return both;
}

Vector PenaltyProblem::left_derivative(Complex s, const Vector& z) const {
  Vector both = problem_.scaled_left_derivative(s, problem_.unscaled(z).coordinates);
  both.tail(compliance_.size()) = constraint_derivative(std::conj(s), z);
  return both;
}

// The constraint term −h / g(s) is linearised at s, so the root is exact once s has converged.
ModalCoefficients PenaltyProblem::modal_coefficients(Complex s, const Vector& z, const Vector& left) const {
  const auto rows = compliance_.size();
  const Complex g = law_.g(s), g_derivative = 2.0 * (s + law_.xi * law_.omega);
  const Complex by_compliance = left.tail(rows).dot(compliance_.cwiseProduct(z.tail(rows))) / g;
  ModalCoefficients at = problem_.scaled_modal_coefficients(z, left);
  at.c += by_compliance * g_derivative / g;
  at.k -= by_compliance * (1.0 + s * g_derivative / g);
  return at;
}

Vector PenaltyProblem::product(Complex s, const Vector& z) const {
  const Complex value = s / frequency_scale();
  const auto q = z.head(coordinates()), lambda = z.tail(compliance_.size());
  Vector both(z.size());
  auto forces = both.head(coordinates());
  forces = problem_.M() * q;
  forces *= value;
  forces += problem_.C() * q;
  forces *= value;
  forces += problem_.K() * q;
  forces += problem_.J().transposed_times(lambda);
  both.tail(compliance_.size()) = problem_.J() * q - compliance_.cwiseProduct(lambda) / law_.g(s);
  return both;
}

double PenaltyProblem::residual(Complex s, const Vector& z, const Vector& product) const {
  const double size = z.head(coordinates()).norm();
  const double forces = problem_.J().transposed_times(z.tail(compliance_.size())).norm();
  const double balance = product.head(coordinates()).norm() / (problem_.norm(s) * size + forces);
  if (compliance_.size() == 0) return balance;
  return std::max(balance, product.tail(compliance_.size()).norm() / (problem_.norm_of_J() * size));
}

double PenaltyProblem::condition(Complex s, const Vector& z, const Vector& left) const {
  const auto head = [&](const Vector& both) { return both.head(coordinates()).norm(); };
  const auto tail = [&](const Vector& both) { return both.tail(compliance_.size()).norm(); };
  const double of_rows = problem_.norm_of_J() * (head(z) * tail(left) + tail(z) * head(left));
  const double of_compliance = largest_of(compliance_) / std::abs(law_.g(s)) * tail(z) * tail(left);
  const double divisor = std::abs(s) / frequency_scale() * std::abs(left.dot(derivative(s, z)));
  if (!(divisor > 0)) return std::numeric_limits<double>::infinity();
  return (problem_.norm(s) * head(z) * head(left) + of_rows + of_compliance) / divisor;
}

Vector PenaltyProblem::scaled(const Vector& x) const {
  Vector z = Vector::Zero(size());
  z.head(coordinates()) = x.cwiseQuotient(problem_.coordinate_scale());
  return z;
}

}  // namespace stillpoint
