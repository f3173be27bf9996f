// Units of the states, inputs and outputs of a plant, from those of the linear system.
#pragma once

#include "stillpoint/linear_system.h"
#include "stillpoint/plant.h"

namespace stillpoint {

/// The plant with the units that follow from its names: "phi'" is the rate of the coordinate phi. An empty word stands
/// where a unit is not known.
Plant with_units(Plant plant, const LinearSystem& system);

/// The unit of the generalised force on a coordinate with the given unit: of what does work on it.
std::string force_unit(const std::string& coordinate_unit);

}  // namespace stillpoint
