// The frequencies of a plot: a range around the lowest modes, with more points near resonances.
#include <algorithm>
#include <cmath>

#include "base/at.h"
#include "response/poles.h"

namespace stillpoint {

namespace {

constexpr std::size_t lowest = 10;
constexpr Index points = 400;

// Points near a peak: their distances in multiples of its half width, which is at least `least_width` times the
// frequency.
constexpr double widths[] = {0, 0.3, 0.6, 1, 1.5, 2.5, 4, 7, 12};
constexpr double least_width = 1e-4;

}  // namespace

ResponseRange range_of_modes(const LinearSystem& system) { return range_of_poles(poles_of(modes_of(system, {}))); }

ResponseRange range_of_poles(const std::vector<Plant::Pole>& poles) {
  ResponseRange range;
  for (const Plant::Pole& pole : poles) {
    if (std::abs(pole.s) > pole.error && pole.s.imag() >= 0) range.poles.push_back(pole.s);
  }
  std::sort(range.poles.begin(), range.poles.end(), [](auto a, auto b) { return std::abs(a) < std::abs(b); });
  if (range.poles.empty()) return range;
  range.from = std::abs(range.poles.front()) / 10;
  range.to = 10 * std::abs(range.poles[std::min(lowest, range.poles.size()) - 1]);
  return range;
}

Eigen::VectorXd frequencies_for_plot(const ResponseRange& range) {
  const Eigen::VectorXd even = log_spaced(range.from, range.to, points);
  std::vector<double> all(even.begin(), even.end());
  for (const std::complex<double> pole : range.poles) {
    const double peak = pole.imag(), width = std::max(std::abs(pole.real()), least_width * peak);
    if (peak <= 0) continue;
    for (const double multiple : widths) {
      for (const double sign : {-1.0, 1.0}) {
        const double omega = peak + sign * multiple * width;
        const bool is_on_pole = multiple == 0 && (sign > 0 || std::abs(pole.real()) < least_width * peak);
        if (!is_on_pole && omega > range.from && omega < range.to) all.push_back(omega);
      }
    }
  }
  std::sort(all.begin(), all.end());
  return Eigen::Map<const Eigen::VectorXd>(all.data(), static_cast<Eigen::Index>(all.size()));
}

}  // namespace stillpoint
