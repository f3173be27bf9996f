// What constraints leave free, as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "stillpoint/equilibrium.h"

namespace stillpoint {

/// Adds rank, dof, redundant, singular, freedom and free_multipliers.
void add_freedom(nlohmann::ordered_json& json, const ConstraintFreedom& freedom);

}  // namespace stillpoint
