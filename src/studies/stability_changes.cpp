#include "studies/stability_changes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/at.h"
#include "studies/followed_value.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

constexpr double relative_rounding = 1e-9;

ValueAndRate real_part(const FollowedValue& value) { return {value.s.real(), value.rate.real()}; }

// A real eigenvalue passes zero with the last stiffness of the equilibrium: next to it both lose their digits.
FollowedValue passage_of_zero(FollowedValue place, double width, const SpectrumOf& at) {
  constexpr double part = 1e-2;
  const HermiteRoot root = hermite_root([&](double parameter) { return real_part(nearest_to(0, at(parameter))); },
                                        place.parameter, part * width);
  if (!root.found) return place;
  const FollowedValue beside = nearest_to(0, at(root.place + part * width));
  return {root.place, 0, beside.rate, root.error * std::abs(beside.rate)};
}

std::vector<FollowedSpectrum> at_each(const FollowedModes& followed, const SpectrumOf& at) {
  std::vector<FollowedSpectrum> spectra;
  for (const double parameter : followed.parameters) spectra.push_back(at(parameter));
  return spectra;
}

}  // namespace

std::vector<SweepEvent> stability_changes(const FollowedModes& followed, const SpectrumOf& at,
                                          Eigen::Index first_branch) {
  std::vector<SweepEvent> events;
  const std::vector<FollowedSpectrum> spectra = at_each(followed, at);
  for (Eigen::Index b = 0; b < followed.s.rows(); ++b) {
    std::optional<Eigen::Index> last;  // point with a certain sign
    for (Eigen::Index k = 0; k < followed.s.cols(); ++k) {
      const Complex s = followed.s(b, k);
      const FollowedValue here = nearest_to(s, spectra[stillpoint::at(k)]);
      const double rounding = relative_rounding * std::abs(s);
      if (std::abs(s.real()) <= std::max(rounding, here.error)) continue;
      const bool is_conjugate = s.imag() < -rounding && (!last || followed.s(b, *last).imag() < -rounding);
      // Two points without a sign are an axis that the branch lies on, and no passage.
      if (last && !is_conjugate && k - *last <= 2 && s.real() * followed.s(b, *last).real() < 0) {
        const FollowedValue before = nearest_to(followed.s(b, *last), spectra[stillpoint::at(*last)]);
        FollowedValue place = zero_between(before, here, at, real_part);
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
