// Factors that scale without rounding.
#pragma once

#include <cmath>

namespace stillpoint {

/// The power of two that is nearest, by ratio, to a positive number.
inline double nearest_power_of_two(double value) { return std::exp2(std::round(std::log2(value))); }

}  // namespace stillpoint
