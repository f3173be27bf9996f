// JSON objects for an equilibrium and for the type of a configuration.
#pragma once

#include <nlohmann/json.hpp>

#include "stillpoint/equilibrium.h"

namespace stillpoint {

/// Largest number of coordinates or constraints in a list, unless all are asked for.
inline constexpr Index most_listed = 200;

/// The object that `stillpoint equilibrium --json` prints.
nlohmann::ordered_json equilibrium_json(const Model& model, const Equilibrium& rest, const JsonOptions& options);

/// Adds the keys rank, dof, redundant, singular, freedom and free_multipliers.
void add_configuration(nlohmann::ordered_json& json, const ConfigurationFindings& findings);

}  // namespace stillpoint
