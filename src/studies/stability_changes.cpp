#include "studies/stability_changes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/at.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

/// An eigenvalue that is followed to another value of the parameter: the nearest to where its rate says it is.
struct Followed {
  double parameter = 0;
  Complex s, rate;
};

Followed nearest_to(Complex s, const FollowedSpectrum& spectrum) {
  Eigen::Index nearest = 0;
  (spectrum.s.array() - s).abs().minCoeff(&nearest);
  return {spectrum.parameter, spectrum.s[nearest], spectrum.rates[nearest]};
}

// Newton's method on Re s, kept within the bracket by bisection.
Followed crossing_between(Followed left, Followed right, const std::function<FollowedSpectrum(double)>& at) {
  constexpr int most_steps = 60;
  constexpr double settled = 4 * std::numeric_limits<double>::epsilon();
  Followed best = std::abs(left.s.real()) < std::abs(right.s.real()) ? left : right;
  for (int k = 0; k < most_steps; ++k) {
    double next = best.parameter - best.s.real() / best.rate.real();
    if (!(next > left.parameter && next < right.parameter)) next = 0.5 * (left.parameter + right.parameter);
    const double step = next - best.parameter;
    if (std::abs(step) <= settled * std::abs(next) || next == left.parameter || next == right.parameter) break;
    best = nearest_to(best.s + step * best.rate, at(next));
    (best.s.real() * left.s.real() > 0 ? left : right) = best;
    if (best.s.real() == 0) break;
  }
  return best;
}

}  // namespace

std::vector<SweepEvent> stability_changes(const FollowedModes& followed,
                                          const std::function<FollowedSpectrum(double)>& at,
                                          Eigen::Index first_branch) {
  constexpr double rounding = 1e-9;
  std::vector<SweepEvent> events;
  for (Eigen::Index b = 0; b < followed.s.rows(); ++b) {
    for (Eigen::Index k = 0; k + 1 < followed.s.cols(); ++k) {
      const Complex from = followed.s(b, k), to = followed.s(b, k + 1);
      const double size = std::max(std::abs(from), std::abs(to));
      if (!(from.real() * to.real() < 0) || from.imag() < -rounding * size ||
          std::min(std::abs(from.real()), std::abs(to.real())) < rounding * size)
        continue;
      const FollowedSpectrum left = at(followed.parameters[stillpoint::at(k)]),
                             right = at(followed.parameters[stillpoint::at(k + 1)]);
      const Followed place = crossing_between(nearest_to(from, left), nearest_to(to, right), at);
      const bool is_real = std::abs(place.s.imag()) <= rounding * size;
      events.push_back({.kind = is_real ? SweepEvent::Kind::divergence : SweepEvent::Kind::flutter,
                        .parameter = place.parameter,
                        .error = std::abs(place.s.real() / place.rate.real()) +
                                 std::numeric_limits<double>::epsilon() * std::abs(place.parameter),
                        .s = {0, is_real ? 0 : place.s.imag()},
                        .branches = {static_cast<Index>(first_branch + b)},
                        .destabilizes = to.real() > 0});
    }
  }
  return events;
}

}  // namespace stillpoint
