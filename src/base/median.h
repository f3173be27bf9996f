// What is usual among some numbers, whatever a few of them are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace stillpoint {

/// The middle one in order of size, the upper one of two; NaN of none.
inline double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace stillpoint
