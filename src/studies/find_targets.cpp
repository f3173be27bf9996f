// The inverse question: where a mode has a given frequency, damping ratio, or multiple of a speed.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/at.h"
#include "stillpoint/critical.h"
#include "stillpoint/mode_rates.h"
#include "studies/equilibrium_path.h"
#include "studies/followed_value.h"
#include "studies/spectrum_at.h"
#include "studies/study_points.h"

namespace stillpoint {

namespace {

using Quantity = ModeTarget::Quantity;

// rad/s in one unit of a speed of rotation.
double radians_per_second(const std::string& unit) {
  constexpr double turn = 2 * std::numbers::pi;
  if (unit == "rpm" || unit == "1/min" || unit == "rev/min") return turn / 60;
  if (unit == "Hz" || unit == "rev/s") return turn;
  if (unit == "deg/s" || unit == "°/s") return turn / 360;
  return 1;
}

ValueAndRate distance_from_order(const FollowedValue& value, double order) {
  const double side = value.s.imag() < 0 ? -1 : 1, way = value.parameter < 0 ? -1 : 1;
  return {std::abs(value.s.imag()) - order * std::abs(value.parameter), side * value.rate.imag() - order * way};
}

QuantityOf distance_from(const ModeTarget& target, const std::string& unit) {
  return [target, per_unit = radians_per_second(unit)](const FollowedValue& value) {
    Mode mode;
    mode.s = value.s;
    switch (target.quantity) {
      case Quantity::frequency_hz:
        return ValueAndRate{frequency(mode) - target.value, frequency_rate(mode, value.rate)};
      case Quantity::damping_ratio:
        return ValueAndRate{damping_ratio(mode) - target.value, damping_ratio_rate(mode, value.rate)};
      case Quantity::order_of_speed:
        return distance_from_order(value, target.value * per_unit);
    }
    return ValueAndRate{};
  };
}

// Of first order: the error of s moves the quantity by at most as much as its rate says of |s|.
double error_of(const FollowedValue& value, const ValueAndRate& there, const ModeTarget& target) {
  const double of_quantity = target.quantity == Quantity::frequency_hz    ? value.error / (2 * std::numbers::pi)
                             : target.quantity == Quantity::damping_ratio ? value.error / std::abs(value.s)
                                                                          : value.error;
  return (std::abs(there.value) + of_quantity) / std::abs(there.rate) +
         std::numeric_limits<double>::epsilon() * std::abs(value.parameter);
}

}  // namespace

TargetPoints find_targets(const Variation& variation, const Equilibrium& start, double from, double to,
                          const ModeTarget& target, const CriticalOptions& options) {
  const Sweep sweep =
      sweep_modes(variation, start, spaced(from, to, options.points),
                  {.count = std::numeric_limits<Index>::max(), .progress = options.progress, .stop = options.stop});
  TargetPoints result;
  result.search = {sweep.model, sweep.parameter, sweep.unit,       from,       to,
                   {},          sweep.uncertain, sweep.is_partial, sweep.ended};
  EquilibriumPath path(variation, start, parameters_of(sweep));
  const SpectrumOf at = [&](double parameter) { return spectrum_at(path, parameter).followed; };
  const QuantityOf distance = distance_from(target, variation.unit);
  for (Eigen::Index b = 0; b < sweep.s.rows(); ++b) {
    if (target.mode > 0 && b + 1 != target.mode) continue;
    for (Eigen::Index k = 0; k + 1 < sweep.s.cols(); ++k) {
      if (!std::isfinite(sweep.s(b, k).real()) || !std::isfinite(sweep.s(b, k + 1).real())) continue;
      FollowedValue left{sweep.points[stillpoint::at(k)].parameter, sweep.s(b, k), {}, 0},
          right{sweep.points[stillpoint::at(k + 1)].parameter, sweep.s(b, k + 1), {}, 0};
      if (distance(left).value * distance(right).value > 0 || distance(right).value == 0) continue;
      left = nearest_to(left.s, at(left.parameter));
      right = nearest_to(right.s, at(right.parameter));
      const FollowedValue found = distance(left).value == 0 ? left : zero_between(left, right, at, distance);
      result.points.push_back(
          {found.parameter, error_of(found, distance(found), target), static_cast<Index>(b + 1), found.s, found.rate});
    }
  }
  std::stable_sort(result.points.begin(), result.points.end(),
                   [](const TargetPoint& a, const TargetPoint& b) { return a.parameter < b.parameter; });
  return result;
}

}  // namespace stillpoint
