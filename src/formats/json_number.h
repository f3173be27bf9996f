// Floating-point numbers in JSON, which has neither NaN nor infinity.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

namespace stillpoint {

/// Returns the number, or null if it is not finite: unknown, or without a bound.
inline nlohmann::ordered_json json_number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

}  // namespace stillpoint
