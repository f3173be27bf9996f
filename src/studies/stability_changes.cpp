#include "studies/stability_changes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/at.h"
#include "studies/hermite_root.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

/// An eigenvalue that is followed to another value of the parameter: the nearest to where its rate says it is.
struct Followed {
  double parameter = 0;
  Complex s, rate;
  double error = 0;
};

Followed nearest_to(Complex s, const FollowedSpectrum& spectrum) {
  Eigen::Index nearest = 0;
  (spectrum.s.array() - s).abs().minCoeff(&nearest);
  return {spectrum.parameter, spectrum.s[nearest], spectrum.rates[nearest],
          spectrum.errors.size() > 0 ? spectrum.errors[nearest] : 0};
}

constexpr double relative_rounding = 1e-9;

bool is_real(Complex s) { return std::abs(s.imag()) <= relative_rounding * std::abs(s); }

// Newton's method on Re s, kept within the bracket by bisection. Where a pair has become real in between, it goes out
// from the real end.
Followed crossing_between(Followed left, Followed right, const std::function<FollowedSpectrum(double)>& at) {
  constexpr int most_steps = 80;
  constexpr double settled = 4 * std::numeric_limits<double>::epsilon();
  const auto better = [&] {
    if (is_real(left.s) != is_real(right.s)) return is_real(left.s) ? left : right;
    return std::abs(left.s.real()) < std::abs(right.s.real()) ? left : right;
  };
  Followed best = better();
  for (int k = 0; k < most_steps; ++k) {
    double next = best.parameter - best.s.real() / best.rate.real();
    if (!(next > left.parameter && next < right.parameter)) next = 0.5 * (left.parameter + right.parameter);
    const double step = next - best.parameter;
    if (std::abs(step) <= settled * std::abs(next) || next == left.parameter || next == right.parameter) break;
    const Followed there = nearest_to(best.s + step * best.rate, at(next));
    (there.s.real() * left.s.real() > 0 ? left : right) = there;
    best = is_real(there.s) == is_real(best.s) ? there : better();
    if (best.s.real() == 0) break;
  }
  return best;
}

// A real eigenvalue passes zero with the last stiffness of the equilibrium: next to it both lose their digits.
Followed passage_of_zero(Followed place, double width, const std::function<FollowedSpectrum(double)>& at) {
  constexpr double part = 1e-2;
  const HermiteRoot root = hermite_root(
      [&](double parameter) {
        const Followed there = nearest_to(0, at(parameter));
        return ValueAndRate{there.s.real(), there.rate.real()};
      },
      place.parameter, part * width);
  if (!root.found) return place;
  const Followed beside = nearest_to(0, at(root.place + part * width));
  return {root.place, 0, beside.rate, root.error * std::abs(beside.rate)};
}

std::vector<FollowedSpectrum> at_each(const FollowedModes& followed,
                                      const std::function<FollowedSpectrum(double)>& at) {
  std::vector<FollowedSpectrum> spectra;
  for (const double parameter : followed.parameters) spectra.push_back(at(parameter));
  return spectra;
}

}  // namespace

std::vector<SweepEvent> stability_changes(const FollowedModes& followed,
                                          const std::function<FollowedSpectrum(double)>& at,
                                          Eigen::Index first_branch) {
  std::vector<SweepEvent> events;
  const std::vector<FollowedSpectrum> spectra = at_each(followed, at);
  for (Eigen::Index b = 0; b < followed.s.rows(); ++b) {
    std::optional<Eigen::Index> last;  // point with a certain sign
    for (Eigen::Index k = 0; k < followed.s.cols(); ++k) {
      const Complex s = followed.s(b, k);
      const Followed here = nearest_to(s, spectra[stillpoint::at(k)]);
      const double rounding = relative_rounding * std::abs(s);
      if (std::abs(s.real()) <= std::max(rounding, here.error)) continue;
      const bool is_conjugate = s.imag() < -rounding && (!last || followed.s(b, *last).imag() < -rounding);
      // Two points without a sign are an axis that the branch lies on, and no passage.
      if (last && !is_conjugate && k - *last <= 2 && s.real() * followed.s(b, *last).real() < 0) {
        const Followed before = nearest_to(followed.s(b, *last), spectra[stillpoint::at(*last)]);
        Followed place = crossing_between(before, here, at);
        const bool is_static = std::abs(place.s.imag()) <= relative_rounding * std::max(std::abs(s), std::abs(place.s));
        if (!is_static && place.s.imag() < 0) continue;
        if (is_static) place = passage_of_zero(place, here.parameter - before.parameter, at);
        events.push_back({.kind = is_static ? SweepEvent::Kind::divergence : SweepEvent::Kind::flutter,
                          .parameter = place.parameter,
                          .error = (std::abs(place.s.real()) + place.error) / std::abs(place.rate.real()) +
                                   std::numeric_limits<double>::epsilon() * std::abs(place.parameter),
                          .s = {0, is_static ? 0 : place.s.imag()},
                          .branches = {static_cast<Index>(first_branch + b)},
                          .destabilizes = s.real() > 0});
      }
      last = k;
    }
  }
  return events;
}

}  // namespace stillpoint
