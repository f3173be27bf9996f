#include "modes/neighbours.h"

#include <algorithm>
#include <cmath>

#include "modes/finish.h"

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

double moves_by(Complex s, BorderedVector x, BorderedVector y, const LinearSystem& system,
                const BorderedProblem& problem) {
  x.multipliers = in_all_rows(x.multipliers, system);
  y.multipliers = in_all_rows(y.multipliers, system);
  double value = 0;
  for (const LinearSystem::Difference& by : system.neighbours) value = std::max(value, std::abs(change(by, s, x, y)));
  const Complex slope = y.coordinates.dot(problem.slope(s, x.coordinates)),
                curvature = y.coordinates.dot(system.M * x.coordinates);
  return root_moves_by(worse_than(system.neighbours.size()) * value, std::abs(slope), std::abs(curvature));
}

double widened(double error, double more) { return more > of_account * error ? std::hypot(error, more) : error; }

}  // namespace

double widened_by_neighbours(double error, Complex s, const BorderedVector& x, const BorderedVector& y,
                             const LinearSystem& system, const BorderedProblem& problem) {
  return system.neighbours.empty() || s == 0.0 ? error : widened(error, moves_by(s, x, y, system, problem));
}

void widen_by_neighbours(std::vector<Mode>& modes, const LinearSystem& system, const BorderedProblem& problem) {
  if (system.neighbours.empty()) return;
  double more = 0;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    Mode& mode = modes[i];
    if (mode.kind == ModeClass::spurious || mode.s == 0.0 || mode.shape.size() == 0) continue;
    const bool is_corrected = !std::isnan(mode.corrected_error);
    if (!is_second_of_pair(modes, i)) {
      const Complex s = is_corrected ? mode.corrected : mode.s;
      const BorderedVector x = problem.with_multipliers(s, mode.shape);
      more = moves_by(s, x, problem.with_left_multipliers(s, mode.left, x), system, problem);
    }
    mode.error = widened(mode.error, more);
    if (is_corrected) mode.corrected_error = widened(mode.corrected_error, more);
  }
}

}  // namespace stillpoint
