#include "modes/accuracy/inverse_iteration.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "modes/tolerances.h"

namespace stillpoint {

namespace {

// The shift keeps off the eigenvalue, where the matrix is singular: the least and the largest offset, relative.
constexpr double shift_offset = 1e-9, largest_offset = 1e-4;
constexpr int most_steps = 5;

constexpr double parallel_work = 1e4;  // values times unknowns; corresponds to some milliseconds

}  // namespace

/// Consecutive steps in the same memory.
struct InverseIteration::Step {
  const BorderedProblem& problem;
  const QuadraticPencil& pencil;
  ComplexLu lu;
  ComplexSparseMatrix B;

  /// Improves both vectors, multipliers included. Returns false and leaves x and y unchanged if B(s) is singular to
  /// working precision.
  bool improve(std::complex<double> s, BorderedVector& x, BorderedVector& y) {
    pencil.put_values(s / problem.frequency_scale(), B);
    if (!lu.factor_nearly_singular(B)) return false;
    const auto as_vector = [&](const Eigen::VectorXcd& solution) {
      return problem.unscaled(solution / solution.norm());
    };
    const BorderedVector better_x = as_vector(lu.solve(problem.scaled_derivative(s, x.coordinates)));
    const BorderedVector better_y = as_vector(lu.solve_adjoint(problem.scaled_left_derivative(s, y.coordinates)));
    if (!better_x.coordinates.allFinite() || !better_y.coordinates.allFinite()) return false;
    x = better_x;
    y = better_y;
    return true;
  }
};

std::optional<Refined> InverseIteration::refine(std::complex<double> s, BorderedVector x, BorderedVector y) const {
  Step next{problem_, pencil_, analysed_.share_analysis(), pencil_.matrix(std::complex<double>(0))};
  std::optional<Refined> refined;
  for (int step = 0; step < most_steps; ++step) {
    bool is_better = false;
    for (double off = shift_offset; off < largest_offset && !is_better; off *= 100) {
      is_better = next.improve(s * (1 + off), x, y);
    }
    if (!is_better) break;
    const RayleighValue value = rayleigh_value(problem_.modal_coefficients(x, y), s);
    refined = {value.s, value.rounding + value.change, value.change <= value.rounding};
    s = value.s;
    if (refined->is_converged) break;
  }
  return refined;
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
