#include "studies/followed_value.h"

#include <cmath>
#include <limits>

namespace stillpoint {

namespace {

constexpr double of_imaginary_parts = 1e-9;

}  // namespace

FollowedValue nearest_to(std::complex<double> s, const FollowedSpectrum& spectrum) {
  Eigen::Index nearest = 0;
  (spectrum.s.array() - s).abs().minCoeff(&nearest);
  return {spectrum.parameter, spectrum.s[nearest], spectrum.rates[nearest],
          spectrum.errors.size() > 0 ? spectrum.errors[nearest] : 0};
}

bool is_real(std::complex<double> s) { return std::abs(s.imag()) <= of_imaginary_parts * std::abs(s); }

// Where a pair has become real in between, the way goes out from the real end.
FollowedValue zero_between(FollowedValue left, FollowedValue right, const SpectrumOf& at, const QuantityOf& quantity) {
  constexpr int most_steps = 80;
  constexpr double settled = 4 * std::numeric_limits<double>::epsilon();
  const auto better = [&] {
    if (is_real(left.s) != is_real(right.s)) return is_real(left.s) ? left : right;
    return std::abs(quantity(left).value) < std::abs(quantity(right).value) ? left : right;
  };
  FollowedValue best = better();
  for (int k = 0; k < most_steps; ++k) {
    const ValueAndRate here = quantity(best);
    double next = best.parameter - here.value / here.rate;
    if (!(next > left.parameter && next < right.parameter)) next = 0.5 * (left.parameter + right.parameter);
    const double step = next - best.parameter;
    if (std::abs(step) <= settled * std::abs(next) || next == left.parameter || next == right.parameter) break;
    const FollowedValue there = nearest_to(best.s + step * best.rate, at(next));
    (quantity(there).value * quantity(left).value > 0 ? left : right) = there;
    best = is_real(there.s) == is_real(best.s) ? there : better();
    if (quantity(best).value == 0) break;
  }
  return best;
}

}  // namespace stillpoint
