#include "modes/rayleigh.h"

#include <cmath>
#include <limits>

namespace stillpoint {

namespace {

// Of the sums that made an entry, and of the entries of R in it: a few ε each.
constexpr double rounding_of_sums = 8 * std::numeric_limits<double>::epsilon();
constexpr int most_steps = 4;

// |δ| with |slope| δ + |m| δ² = uncertainty: what moves a root by δ.
double root_moves_by(double uncertainty, double slope, double curvature) {
  const double divisor = slope + std::sqrt(slope * slope + 4 * curvature * uncertainty);
  return divisor > 0 ? 2 * uncertainty / divisor : std::numeric_limits<double>::infinity();
}

}  // namespace

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
