// Bounds of several zeros together.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace stillpoint {

/// Rounding couples free motions by at most the geometric mean of what it does to both, of which an eigenvalue feels
/// all where nothing else is left, and each feels all others: as much as there are motions, to this power. The values
/// have `s` and `error`, and so many of them belong to a motion.
template <class Value>
void widen_bounds_of_zeros(std::vector<Value>& values, int values_of_motion, double power) {
  double zeros = 0, largest = 0;
  for (const Value& value : values) {
    if (value.s != 0.0) continue;
    ++zeros;
    largest = std::max(largest, value.error);
  }
  const double each_other = std::pow(std::max(1.0, zeros / values_of_motion), power);
  for (Value& value : values) {
    if (value.s == 0.0) value.error = each_other * std::sqrt(value.error * largest);
  }
}

}  // namespace stillpoint
