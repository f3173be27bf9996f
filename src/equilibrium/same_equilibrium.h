// When two states are the same equilibrium.
#pragma once

#include "stillpoint/model.h"

namespace stillpoint {

/// Two angles that differ by full turns describe the same equilibrium, unless an element counts turns: then the
/// potential differs.
bool is_same_equilibrium(const Model& model, const State& a, const State& b);

}  // namespace stillpoint
