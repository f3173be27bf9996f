#include "modes/rayleigh.h"

#include <cmath>

namespace stillpoint {

namespace {

constexpr int most_steps = 4;

}  // namespace

// Of the product of both roots, |uncertainty / m|, the smaller is no more than the square root.
double root_moves_by(double uncertainty, double slope, double curvature) {
  if (uncertainty == 0) return 0;
  const double square = slope * slope - 4 * curvature * uncertainty;
  return square > 0 ? 2 * uncertainty / (slope + std::sqrt(square)) : std::sqrt(uncertainty / curvature);
}

RayleighValue rayleigh_value(const Sandwich& at, std::complex<double> s) {
  RayleighValue result{s};
  for (int step = 0; step < most_steps; ++step) {
    const std::complex<double> slope = at.slope(result.s);
    const std::complex<double> value = at.value(result.s);
    // Within rounding nothing can be gained; nor where the next root is nearer than the step.
    if (std::abs(value) <= rounding_of_sums / 8 * at.size(result.s)) break;
    if (!(4 * std::abs(at.m) * std::abs(value) < std::norm(slope))) break;
    result.s -= value / slope;
  }
  result.change = std::abs(result.s - s);
  result.rounding = root_moves_by(std::abs(at.value(result.s)) + rounding_of_sums * at.size(result.s),
                                  std::abs(at.slope(result.s)), std::abs(at.m));
  return result;
}

}  // namespace stillpoint
