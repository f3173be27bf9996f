#include "modes/accuracy/equilibrium_error.h"

#include <algorithm>
#include <cmath>

#include "modes/accuracy/finish.h"
#include "modes/tolerances.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Vector = Eigen::VectorXcd;

// Few random perturbations seldom include the worst one; a single one still less.
double safety_factor(std::size_t samples) { return 6 / static_cast<double>(samples); }

Vector in_all_rows(const Vector& multipliers, const LinearSystem& system) {
  Vector all = Vector::Zero(system.constraints());
  for (std::size_t i = 0; i < system.rows.independent.size(); ++i)
    all[system.rows.independent[i]] = multipliers[static_cast<Eigen::Index>(i)];
  return all;
}

// Returns yᴴ (s²ΔM + sΔC + ΔK) x + yᴴ ΔJᵀ λ + μᴴ ΔJ x.
Complex change(const LinearSystem::Difference& by, Complex s, const BorderedVector& x, const BorderedVector& y) {
  const Vector& q = x.coordinates;
  const Vector forces = s * (s * (by.M * q) + by.C * q) + by.K * q + by.J.transpose() * x.multipliers;
  return y.coordinates.dot(forces) + y.multipliers.dot(by.J * q);
}

double displacement(Complex s, BorderedVector x, BorderedVector y, const LinearSystem& system,
                    const BorderedProblem& problem) {
  x.multipliers = in_all_rows(x.multipliers, system);
  y.multipliers = in_all_rows(y.multipliers, system);
  double value = 0;
  for (const LinearSystem::Difference& by : system.perturbed) value = std::max(value, std::abs(change(by, s, x, y)));
  const Complex derivative = y.coordinates.dot(problem.derivative(s, x.coordinates)),
                curvature = y.coordinates.dot(system.M * x.coordinates);
  return root_displacement(safety_factor(system.perturbed.size()) * value, std::abs(derivative), std::abs(curvature));
}

double widened(double error, double more) {
  return more > tolerance::significant_equilibrium_error * error ? std::hypot(error, more) : error;
}

}  // namespace

double widened_by_equilibrium_error(double error, Complex s, const BorderedVector& x, const BorderedVector& y,
                                    const LinearSystem& system, const BorderedProblem& problem) {
  return system.perturbed.empty() || s == 0.0 ? error : widened(error, displacement(s, x, y, system, problem));
}

void widen_by_equilibrium_error(std::vector<Mode>& modes, const LinearSystem& system, const BorderedProblem& problem) {
  if (system.perturbed.empty()) return;
  double more = 0;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    Mode& mode = modes[i];
    if (mode.kind == ModeClass::spurious || mode.s == 0.0 || mode.shape.size() == 0) continue;
    const bool is_corrected = !std::isnan(mode.corrected_error);
    if (!is_second_of_pair(modes, i)) {
      const Complex s = is_corrected ? mode.corrected : mode.s;
      const BorderedVector x = problem.with_multipliers(s, mode.shape);
      more = displacement(s, x, problem.with_left_multipliers(s, mode.left, x), system, problem);
    }
    mode.error = widened(mode.error, more);
    if (is_corrected) mode.corrected_error = widened(mode.corrected_error, more);
  }
}

}  // namespace stillpoint
