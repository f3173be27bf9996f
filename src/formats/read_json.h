// JSON files read as a whole.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace stillpoint {

/// Throws Error with the path if the file cannot be read, is not valid JSON, or is nested too deeply for the stack.
nlohmann::ordered_json read_json(const std::string& path);

}  // namespace stillpoint
