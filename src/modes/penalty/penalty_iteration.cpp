#include "modes/penalty/penalty_iteration.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "modes/tolerances.h"
#include "modes/undamped/conservative_pencil.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Matrix = Eigen::MatrixXcd;

constexpr int most_steps = 6;

// The shift of the real matrix keeps off the eigenvalue, relative to s².
constexpr double rigid_offset = 1e-6;

double worst_of(const std::vector<PenaltyPair>& pairs) {
  const auto is_better = [](const PenaltyPair& a, const PenaltyPair& b) { return a.residual < b.residual; };
  return std::max_element(pairs.begin(), pairs.end(), is_better)->residual;
}

Complex mean_of(const std::vector<Complex>& values) {
  return std::accumulate(values.begin(), values.end(), Complex()) / static_cast<double>(values.size());
}

std::vector<Complex> values_of(const std::vector<PenaltyPair>& pairs) {
  std::vector<Complex> values;
  for (const PenaltyPair& pair : pairs) values.push_back(pair.s);
  return values;
}

}  // namespace

std::vector<PenaltyPair> PenaltyIteration::continue_from(const std::vector<Complex>& from, Matrix right, Matrix left) {
  if (from.size() == 1) {
    std::vector<PenaltyPair> pair = iterate(from.front(), std::move(right), std::move(left));
    pair.resize(1);
    return pair;
  }
  std::vector<PenaltyPair> pairs = iterate(mean_of(from), right, left);
  pairs.resize(from.size());
  for (std::size_t k = 0; k < from.size(); ++k) {  // far from the middle each is continued by itself
    const auto column = static_cast<Eigen::Index>(k);
    if (std::isfinite(pairs[k].residual)) improve(pairs[k], pairs[k].s, pairs[k].right, pairs[k].left);
    improve(pairs[k], from[k], right.col(column), left.col(column));
  }
  return pairs;
}

// Returns nothing if T cannot be factored.
std::vector<PenaltyPair> PenaltyIteration::iterate(Complex sigma, Matrix right, Matrix left) {
  if (right.cols() == 1 && problem_.rigid().is_undamped()) {
    Eigen::VectorXcd force = problem_.derivative(sigma, right.col(0));
    if (std::optional<PenaltyPair> pair = beside_rigid(sigma, std::move(force))) return {*std::move(pair)};
  }
  std::vector<PenaltyPair> pairs;
  for (int step = 0; step < most_steps; ++step) {
    if (!factor_beside(sigma)) return {};
    solve(right, left);
    rotate(right, left);
    pairs.clear();
    for (Eigen::Index k = 0; k < right.cols(); ++k) pairs.push_back(pair_of(right.col(k), left.col(k)));
    if (worst_of(pairs) <= tolerance::sufficient_penalty_residual) break;
    sigma = mean_of(values_of(pairs));
  }
  return pairs;
}

// Residual inverse iteration, with one step more than the residual asks for. Returns nothing if s² is not nearly real
// or no residual of rounding is reached.
std::optional<PenaltyPair> PenaltyIteration::beside_rigid(Complex from, Eigen::VectorXcd force) const {
  Complex s = from;
  const Complex mu = -s * s / (problem_.frequency_scale() * problem_.frequency_scale());
  if (!(std::abs(mu.imag()) <= rigid_offset * std::abs(mu))) return {};
  ConservativePencil rigid(problem_.rigid());
  if (!rigid.shift(mu.real() * (1 + rigid_offset))) return {};
  const auto solved = [&](const Eigen::VectorXcd& b) {
    Eigen::MatrixXd parts(b.size(), 2);
    parts << b.real(), b.imag();
    parts = rigid.solve_columns(std::move(parts));
    Eigen::VectorXcd z(b.size());
    z.real() = parts.col(0);
    z.imag() = parts.col(1);
    return z;
  };
  Eigen::VectorXcd z = std::move(force);
  z = solved(z);
  z.normalize();
  double residual = std::numeric_limits<double>::infinity();
  for (int step = 0; step < most_steps; ++step) {
    const bool is_last = residual <= tolerance::sufficient_penalty_residual;
    const RayleighValue value = rayleigh_value(problem_.modal_coefficients(s, z, z.conjugate()), s);
    s = from.imag() == 0 && std::abs(value.s.imag()) <= value.rounding ? value.s.real() : value.s;
    const Eigen::VectorXcd product = problem_.product(s, z);
    residual = problem_.residual(s, z, product);
    if (is_last) break;
    z -= solved(product);
    z.normalize();
  }
  if (!(residual <= tolerance::sufficient_penalty_residual)) return {};
  return PenaltyPair{s, residual, z, z.conjugate()};
}

void PenaltyIteration::improve(PenaltyPair& pair, Complex s, const Matrix& right, const Matrix& left) {
  if (pair.residual <= tolerance::sufficient_penalty_residual) return;
  const std::vector<PenaltyPair> other = iterate(s, right, left);
  if (!other.empty() && !(other.front().residual > pair.residual)) pair = other.front();
}

bool PenaltyIteration::factor_beside(Complex s) {
  if (!lu_) lu_.emplace(problem_.complex_lu());
  for (const double off : {0.0, 1e-10, 1e-8, 1e-6}) {
    sigma_ = s * (1 + off);
    problem_.put_matrix(sigma_, T_);
    if (T_.coeffs().isFinite().all() && lu_->factor(T_)) return true;
  }
  return false;
}

void PenaltyIteration::solve(Matrix& right, Matrix& left) const {
  for (Eigen::Index k = 0; k < right.cols(); ++k) {
    right.col(k) = lu_->solve(problem_.derivative(sigma_, right.col(k))).normalized();
    if (problem_.is_symmetric()) left.col(k) = right.col(k).conjugate();
    else left.col(k) = lu_->solve_adjoint(problem_.left_derivative(sigma_, left.col(k))).normalized();
  }
}

// If all values are equal but for rounding, every basis of the subspace serves.
void PenaltyIteration::rotate(Matrix& right, Matrix& left) const {
  const Eigen::Index count = right.cols();
  if (count == 1) return;
  Matrix derivatives(right.rows(), count);
  for (Eigen::Index k = 0; k < count; ++k) derivatives.col(k) = problem_.derivative(sigma_, right.col(k));
  const Matrix inverse_derivatives = (left.adjoint() * derivatives).partialPivLu().inverse();
  const Matrix distances = -inverse_derivatives * (left.adjoint() * (T_ * right));
  if (!distances.allFinite()) return;
  Matrix basis = Matrix::Identity(count, count);
  const Complex mean = distances.trace() / static_cast<double>(count);
  const double spread = (distances - mean * basis).norm();
  if (spread > tolerance::copies * std::abs(sigma_) / problem_.frequency_scale())
    basis = Eigen::ComplexEigenSolver<Matrix>(distances).eigenvectors();
  const Matrix dual = (basis.partialPivLu().inverse() * inverse_derivatives).adjoint();
  if (!basis.allFinite() || !dual.allFinite()) return;
  right = (right * basis).colwise().normalized();
  left = (left * dual).colwise().normalized();
}

// Beside a real shift a value whose imaginary part is within rounding is real.
PenaltyPair PenaltyIteration::pair_of(const Eigen::VectorXcd& right, const Eigen::VectorXcd& left) const {
  RayleighValue value = rayleigh_value(problem_.modal_coefficients(sigma_, right, left), sigma_);
  value = rayleigh_value(problem_.modal_coefficients(value.s, right, left), value.s);
  if (sigma_.imag() == 0 && std::abs(value.s.imag()) <= value.rounding) value.s = value.s.real();
  return {value.s, problem_.residual(value.s, right), right, left};
}

}  // namespace stillpoint
