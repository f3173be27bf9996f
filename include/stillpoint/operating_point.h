// A state given by values for named coordinates and inputs.
#pragma once

#include "stillpoint/model.h"

namespace stillpoint {

/// The value of a coordinate in the user's terms. For a body in space rx, ry, rz are the rotation vector of its axes
/// relative to those of the ground (rad).
double coordinate_value(const Model& model, const State& state, Index coordinate);

using Settings = std::vector<std::pair<std::string, double>>;

struct OperatingPoint {
  State state;
  std::vector<Index> coordinates;  ///< the coordinates that were set
};

/// The guess of the model with other values for some coordinates and inputs. Throws Error, with the nearest known name,
/// if a coordinate or input does not exist.
OperatingPoint operating_point(const Model& model, const Settings& settings);
/// The same about another state than the guess.
OperatingPoint operating_point(const Model& model, const Settings& settings, const State& about);

}  // namespace stillpoint
