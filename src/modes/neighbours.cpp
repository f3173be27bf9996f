#include "modes/neighbours.h"

#include <algorithm>
#include <cmath>

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Vector = Eigen::VectorXcd;

constexpr double of_account = 3;  // of an error bar
// A few samples seldom meet the worst, one still less.
double worse_than(std::size_t samples) { return 6 / static_cast<double>(samples); }

Vector in_all_rows(const Vector& multipliers, const LinearSystem& system) {
  Vector all = Vector::Zero(system.constraints());
  for (std::size_t i = 0; i < system.rows.independent.size(); ++i)
    all[system.rows.independent[i]] = multipliers[static_cast<Eigen::Index>(i)];
  return all;
}

// yᴴ (s²ΔM + sΔC + ΔK) x + yᴴ ΔJᵀ λ + μᴴ ΔJ x
Complex change(const LinearSystem::Difference& by, Complex s, const BorderedVector& x, const BorderedVector& y) {
  const Vector& q = x.coordinates;
  const Vector forces = s * (s * (by.M * q) + by.C * q) + by.K * q + by.J.transpose() * x.multipliers;
  return y.coordinates.dot(forces) + y.multipliers.dot(by.J * q);
}

double moves_by(Complex s, const Mode& mode, const LinearSystem& system, const BorderedProblem& problem) {
  BorderedVector x = problem.with_multipliers(s, mode.shape), y = problem.with_left_multipliers(s, mode.left, x);
  x.multipliers = in_all_rows(x.multipliers, system);
  y.multipliers = in_all_rows(y.multipliers, system);
  double value = 0;
  for (const LinearSystem::Difference& by : system.neighbours) value = std::max(value, std::abs(change(by, s, x, y)));
  const Complex slope = mode.left.dot(problem.slope(s, mode.shape)), curvature = mode.left.dot(system.M * mode.shape);
  return root_moves_by(worse_than(system.neighbours.size()) * value, std::abs(slope), std::abs(curvature));
}

}  // namespace

void widen_by_neighbours(std::vector<Mode>& modes, const LinearSystem& system, const BorderedProblem& problem) {
  if (system.neighbours.empty()) return;
  double more = 0;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    Mode& mode = modes[i];
    if (mode.kind == ModeClass::spurious || mode.s == 0.0 || mode.shape.size() == 0) continue;
    const bool is_corrected = !std::isnan(mode.corrected_error);
    const bool is_mirrored =
        i > 0 && mode.kind == modes[i - 1].kind && mode.s.imag() != 0 && mode.s == std::conj(modes[i - 1].s);
    if (!is_mirrored) more = moves_by(is_corrected ? mode.corrected : mode.s, mode, system, problem);
    if (more > of_account * mode.error) mode.error = std::hypot(mode.error, more);
    if (is_corrected && more > of_account * mode.corrected_error)
      mode.corrected_error = std::hypot(mode.corrected_error, more);
  }
}

}  // namespace stillpoint
