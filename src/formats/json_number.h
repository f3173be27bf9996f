// Floating-point numbers in JSON, which has neither NaN nor infinity.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

namespace stillpoint {

/// Returns the number, or null if it is not finite: unknown, or without a bound.
inline nlohmann::ordered_json json_number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

/// Returns the numbers as a list.
template <class Values = std::vector<double>>
nlohmann::ordered_json json_numbers(const Values& values) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const double value : values) list.push_back(json_number(value));
  return list;
}

}  // namespace stillpoint
