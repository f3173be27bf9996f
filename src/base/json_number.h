// Numbers in the results that are written as JSON, which knows neither NaN nor infinity.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

namespace stillpoint {

/// The number, or null for one that is not known or has no bound.
inline nlohmann::ordered_json json_number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

}  // namespace stillpoint
