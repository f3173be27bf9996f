// Units of the coordinates, inputs and outputs of a model, as it gives them or as its elements know them.
#pragma once

#include "stillpoint/linear_system.h"
#include "stillpoint/model.h"

namespace stillpoint {

struct ModelUnits {
  std::vector<std::string> coordinates, inputs, outputs;
};
ModelUnits units_of(const Model& model);

/// Gives the system the units of the model. They are found when somebody first asks for one.
void add_units(const Model& model, LinearSystem& system);

}  // namespace stillpoint
