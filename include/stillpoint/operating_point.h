// A state said in the words of the user: coordinates and inputs by name.
#pragma once

#include "stillpoint/model.h"

namespace stillpoint {

/// The value of a coordinate as the user knows it. For a body in space rx, ry, rz are the rotation vector of its axes
/// from those of the ground (rad).
double coordinate_value(const Model& model, const State& state, Index coordinate);

using Settings = std::vector<std::pair<std::string, double>>;

struct OperatingPoint {
  State state;
  std::vector<Index> coordinates;  ///< those that were set
};

/// The guess of the model with other values for some coordinates and inputs. Throws Error, with the nearest known name,
/// if there is no such coordinate or input.
OperatingPoint operating_point(const Model& model, const Settings& settings);

}  // namespace stillpoint
