// A rest position, and what constraints leave free there, as parts of JSON objects.
#pragma once

#include <nlohmann/json.hpp>

#include "stillpoint/equilibrium.h"

namespace stillpoint {

/// As `stillpoint equilibrium --json` prints it.
nlohmann::ordered_json equilibrium_json(const Model& model, const Equilibrium& rest, const JsonOptions& options);

/// Adds rank, dof, redundant, singular, freedom and free_multipliers.
void add_freedom(nlohmann::ordered_json& json, const ConstraintFreedom& freedom);

}  // namespace stillpoint
