#include "modes/penalty_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Vector = Eigen::VectorXcd;

// Of a vector without entries, too.
double largest_of(const Eigen::VectorXd& x) { return x.size() > 0 ? x.maxCoeff() : 0; }

double frobenius(const SparseMatrix& A) { return A.nonZeros() > 0 ? A.coeffs().matrix().norm() : 0; }

}  // namespace

PenaltyProblem::PenaltyProblem(const LinearSystem& system, const PenaltyForm& law)
    : law_(law),
      problem_(system, law.J),
      pencil_(problem_),
      give_(problem_.multiplier_scale().cwiseAbs2().cwiseQuotient(law.alpha)) {}

ComplexSparseMatrix PenaltyProblem::matrix(Complex s) const {
  ComplexSparseMatrix T = pencil_.matrix(s / frequency_scale());
  const Complex g = law_.g(s);
  for (Index i = 0; i < static_cast<Index>(give_.size()); ++i) {
    T.coeffRef(coordinates() + i, coordinates() + i) -= give_[i] / g;
  }
  return T;
}

// Of −Ξ⁻¹ / g(s), in scaled s.
Vector PenaltyProblem::bottom_slope(Complex s, const Vector& z) const {
  const Complex g = law_.g(s), slope = 2.0 * (s + law_.xi * law_.omega);
  return (frequency_scale() * slope / (g * g)) * give_.cwiseProduct(z.tail(give_.size()));
}

Vector PenaltyProblem::slope(Complex s, const Vector& z) const {
  Vector both = problem_.scaled_slope(s, problem_.unscaled(z).coordinates);
  both.tail(give_.size()) = bottom_slope(s, z);
  return both;
}

Vector PenaltyProblem::left_slope(Complex s, const Vector& z) const {
  Vector both = problem_.scaled_left_slope(s, problem_.unscaled(z).coordinates);
  both.tail(give_.size()) = bottom_slope(std::conj(s), z);
  return both;
}

// −h / g(s) by its tangent, so that the root is where it should be once s is.
Sandwich PenaltyProblem::sandwich(Complex s, const Vector& z, const Vector& left) const {
  const BorderedVector x = problem_.unscaled(z), y = problem_.unscaled(left);
  const Complex g = law_.g(s), slope = 2.0 * (s + law_.xi * law_.omega);
  const Complex given = y.multipliers.dot(x.multipliers.cwiseQuotient(law_.alpha)) / g;
  Sandwich at = problem_.sandwich(x, y);
  at.c += given * slope / g;
  at.k -= given * (1.0 + s * slope / g);
  return at;
}

double PenaltyProblem::residual(Complex s, const Vector& z) const {
  const Complex value = s / frequency_scale();
  const Vector q = z.head(coordinates()), lambda = z.tail(give_.size());
  const Vector forces = problem_.J().transpose() * lambda;
  const Vector top = value * (value * (problem_.M() * q) + problem_.C() * q) + problem_.K() * q + forces;
  const double balance = top.norm() / (problem_.norm(s) * q.norm() + forces.norm());
  if (give_.size() == 0) return balance;
  const Vector gaps = problem_.J() * q - give_.cwiseProduct(lambda) / law_.g(s);
  return std::max(balance, gaps.norm() / (frobenius(problem_.J()) * q.norm()));
}

double PenaltyProblem::condition(Complex s, const Vector& z, const Vector& left) const {
  const auto head = [&](const Vector& both) { return both.head(coordinates()).norm(); };
  const auto tail = [&](const Vector& both) { return both.tail(give_.size()).norm(); };
  const double of_rows = frobenius(problem_.J()) * (head(z) * tail(left) + tail(z) * head(left));
  const double of_give = largest_of(give_) / std::abs(law_.g(s)) * tail(z) * tail(left);
  const double divisor = std::abs(s) / frequency_scale() * std::abs(left.dot(slope(s, z)));
  if (!(divisor > 0)) return std::numeric_limits<double>::infinity();
  return (problem_.norm(s) * head(z) * head(left) + of_rows + of_give) / divisor;
}

Vector PenaltyProblem::scaled(const Vector& x) const {
  Vector z = Vector::Zero(size());
  z.head(coordinates()) = x.cwiseQuotient(problem_.coordinate_scale());
  return z;
}

}  // namespace stillpoint
