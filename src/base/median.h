// The median of some numbers, which is insensitive to outliers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace stillpoint {

/// Returns the median, the upper one of two for an even number of values; NaN for none.
inline double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace stillpoint
