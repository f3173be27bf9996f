#include "modes/problem/rayleigh_quotient.h"

#include <cmath>

#include "modes/tolerances.h"

namespace stillpoint {

namespace {

constexpr int most_steps = 4;

}  // namespace

// The product of both roots is |uncertainty / m|, so the smaller one is at most the square root of it.
double root_displacement(double uncertainty, double derivative, double curvature) {
  if (uncertainty == 0) return 0;
  const double square = derivative * derivative - 4 * curvature * uncertainty;
  return square > 0 ? 2 * uncertainty / (derivative + std::sqrt(square)) : std::sqrt(uncertainty / curvature);
}

RayleighValue rayleigh_value(const ModalCoefficients& at, std::complex<double> s) {
  RayleighValue result{s};
  for (int step = 0; step < most_steps; ++step) {
    const std::complex<double> derivative = at.derivative(result.s);
    const std::complex<double> value = at.value(result.s);
    // The iteration stops where the residual is rounding only, and where the other root is nearer than the step.
    if (std::abs(value) <= tolerance::rounding_of_sums / 8 * at.magnitude(result.s)) break;
    if (!(4 * std::abs(at.m) * std::abs(value) < std::norm(derivative))) break;
    result.s -= value / derivative;
  }
  result.change = std::abs(result.s - s);
  result.rounding =
      root_displacement(std::abs(at.value(result.s)) + tolerance::rounding_of_sums * at.magnitude(result.s),
                        std::abs(at.derivative(result.s)), std::abs(at.m));
  return result;
}

}  // namespace stillpoint
