// Entries of long JSON objects.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace stillpoint {

/// Adds an entry whose name the object does not have yet. Looking for each of n names in what is there already would
/// take n² comparisons.
inline void add_entry(nlohmann::ordered_json& object, std::string name, nlohmann::ordered_json value) {
  object.get_ref<nlohmann::ordered_json::object_t&>().emplace_back(std::move(name), std::move(value));
}

}  // namespace stillpoint
