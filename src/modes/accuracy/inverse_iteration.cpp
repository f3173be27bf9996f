#include "modes/accuracy/inverse_iteration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "modes/tolerances.h"
#include "modes/undamped/conservative_pencil.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

// The shift keeps off the eigenvalue, where the matrix is singular: the least and the largest offset, relative.
constexpr double shift_offset = 1e-9, largest_offset = 1e-4;
constexpr int most_steps = 5;

constexpr double parallel_work = 1e4;  // values times unknowns; corresponds to some milliseconds

}  // namespace

/// Consecutive steps in the same memory.
class InverseIteration::ComplexSteps {
 public:
  ComplexSteps(const BorderedProblem& problem, const QuadraticPencil& pencil, BorderedVector x, BorderedVector y)
      : problem_(problem),
        pencil_(pencil),
        lu_(pencil.complex_lu()),
        B_(pencil.matrix(Complex(0))),
        x_(std::move(x)),
        y_(std::move(y)) {}

  /// Improves both vectors, multipliers included. Returns false and leaves them unchanged if B(s) is singular to
  /// working precision.
  bool improve(Complex s) {
    pencil_.put_values(s / problem_.frequency_scale(), B_);
    if (!lu_.factor_nearly_singular(B_)) return false;
    const auto as_vector = [&](const Eigen::VectorXcd& solution) {
      return problem_.unscaled(solution / solution.norm());
    };
    const BorderedVector better_x = as_vector(lu_.solve(problem_.scaled_derivative(s, x_.coordinates)));
    const BorderedVector better_y = as_vector(lu_.solve_adjoint(problem_.scaled_left_derivative(s, y_.coordinates)));
    if (!better_x.coordinates.allFinite() || !better_y.coordinates.allFinite()) return false;
    x_ = better_x;
    y_ = better_y;
    return true;
  }
  ModalCoefficients modal_coefficients() const { return problem_.modal_coefficients(x_, y_); }

 private:
  const BorderedProblem& problem_;
  const QuadraticPencil& pencil_;
  ComplexLu lu_;
  ComplexSparseMatrix B_;
  BorderedVector x_, y_;
};

/// The same without damping, at real s².
class InverseIteration::RealSteps {
 public:
  RealSteps(const BorderedProblem& problem, Eigen::VectorXd x)
      : problem_(problem), pencil_(problem), x_(std::move(x)) {}

  bool improve(Complex s) {
    if (!pencil_.shift(-(s * s).real() / std::pow(pencil_.frequency_scale(), 2))) return false;
    Eigen::VectorXd force = pencil_.mass().leftCols(x_.size()) * x_.cwiseQuotient(problem_.coordinate_scale());
    const Eigen::VectorXd solution = pencil_.solve(force).normalized();
    if (!solution.allFinite()) return false;
    vector_ = {};  // makes room for the next one
    vector_ = pencil_.unscaled(solution);
    x_ = vector_.coordinates.real();
    return true;
  }
  ModalCoefficients modal_coefficients() const { return problem_.modal_coefficients(vector_, vector_); }

 private:
  const BorderedProblem& problem_;
  ConservativePencil pencil_;
  Eigen::VectorXd x_;
  BorderedVector vector_;
};

template <class Steps>
std::optional<Refined> InverseIteration::refined_by(Steps next, Complex s) const {
  std::optional<Refined> refined;
  for (int step = 0; step < most_steps; ++step) {
    bool is_better = false;
    for (double off = shift_offset; off < largest_offset && !is_better; off *= 100) {
      is_better = next.improve(s * (1 + off));
    }
    if (!is_better) break;
    const RayleighValue value = rayleigh_value(next.modal_coefficients(), s);
    refined = {value.s, value.rounding + value.change, value.change <= value.rounding};
    s = value.s;
    if (refined->is_converged) break;
  }
  return refined;
}

// Of a complex vector the larger part is taken; both are real eigenvectors, as far as they are any.
std::optional<Refined> InverseIteration::refine(Complex s, BorderedVector x, BorderedVector y) const {
  if (is_undamped_ && std::abs((s * s).imag()) <= largest_offset * std::norm(s)) {
    Eigen::VectorXd part = x.coordinates.real();
    if (x.coordinates.imag().squaredNorm() > part.squaredNorm()) part = x.coordinates.imag();
    const std::optional<Refined> refined = refined_by(RealSteps(problem_, std::move(part)), s);
    if (refined && refined->is_converged) return refined;
  }
  return refined_by(ComplexSteps(problem_, pencil_, std::move(x), std::move(y)), s);
}

bool InverseIteration::pays_in_parallel(std::size_t values) const {
  return static_cast<double>(values) * pencil_.size() > parallel_work;
}

bool is_same_root(const Refined& refined, const std::vector<std::complex<double>>& values, std::size_t of) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const std::complex<double>& other : values) {
    const double distance = std::abs(other - values[of]);
    if (distance > tolerance::copies * std::abs(values[of])) nearest = std::min(nearest, distance);
  }
  return refined.is_converged && 2 * std::abs(refined.s - values[of]) < nearest;
}

}  // namespace stillpoint
