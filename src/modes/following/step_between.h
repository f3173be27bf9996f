// One step of the following: which values at p go on as which at p', and whether that is certain.
#pragma once

#include <optional>
#include <vector>

#include "stillpoint/follow_modes.h"

namespace stillpoint {

/// Values this close, relative to the largest one, are equal but for rounding.
inline constexpr double equal_values = 1e-9;

/// Two values that meet between both ends: their mean and the square of half their difference are analytic.
struct Coalescence {
  Eigen::Index first = 0, second = 0;  ///< at the beginning
  double parameter = 0;                ///< where the cubic through the squares vanishes
  std::complex<double> s;
};

struct StepBetween {
  /// The values at the end in the order of those at the beginning, as far as these go on; the others behind them.
  std::vector<Eigen::Index> to;
  bool is_complete = true;  ///< whether all that are followed go on
  std::vector<Coalescence> coalescences{};
  bool is_certain = false;
  /// Where it is not: the two that come nearest to each other, and the part of the step where that is. Both are the
  /// same one where something else makes it uncertain.
  Eigen::Index first = 0, second = 0;
  double place = 0.5;
};

/// Of the values at the beginning the first ones, so many, are followed; the others are known as well, so that none of
/// them is taken for one of these, and may have come from, or go, beyond what is known.
StepBetween step_between(const FollowedSpectrum& from, const FollowedSpectrum& to, Eigen::Index followed);

/// The order of the values at the end by their vectors alone, across a crossing.
std::vector<Eigen::Index> by_shapes(const FollowedSpectrum& from, const FollowedSpectrum& to);

/// The pair of values next to s in a spectrum: their mean, the real square of half their difference, and its rate.
struct PairThere {
  std::complex<double> mean;
  double square = 0, rate = 0;
};
PairThere pair_next_to(std::complex<double> s, const FollowedSpectrum& at);

/// The cubic with these values and derivatives (in the unit of t) at t = 0 and 1.
template <class Number>
Number cubic(Number left, Number left_rate, Number right, Number right_rate, double t) {
  const double u = 1 - t;
  return (1 + 2 * t) * u * u * left + t * u * u * left_rate + t * t * (3 - 2 * t) * right - t * t * u * right_rate;
}

/// Its root between 0 and 1, where it must change its sign.
double root_of_cubic(double left, double left_rate, double right, double right_rate);

}  // namespace stillpoint
