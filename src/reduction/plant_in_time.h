// The plant of which answers in time are computed.
#pragma once

#include <string>
#include <vector>

#include "stillpoint/linear_system.h"
#include "stillpoint/plant.h"

namespace stillpoint {

struct PlantInTimeOptions {
  Index order = 0;  ///< states of a modal reduction; 0: the whole system
  bool minimum_norm_reactions = false;
};

/// Makes the plant of the whole system, or a modal reduction whose error is told in `warnings`. Throws Error if the
/// system is too large for a dense matrix exponential, or if the reduction says nothing about the system.
Plant plant_in_time(const LinearSystem& system, const PlantInTimeOptions& options, std::vector<std::string>& warnings);

}  // namespace stillpoint
