#include "report/modes_with_masses.h"

#include <nlohmann/json.hpp>

namespace stillpoint {

std::string text_with_masses(const std::string& modes, const EffectiveMasses& masses) {
  return modes + "\n" + to_text(masses);
}

std::string json_with_masses(const std::string& modes, const EffectiveMasses& masses) {
  auto object = nlohmann::ordered_json::parse(modes);
  object["effective_masses"] = nlohmann::ordered_json::parse(to_json(masses));
  return object.dump(2) + "\n";
}

}  // namespace stillpoint
