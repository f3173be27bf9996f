// Random systems of all kinds, and the plants of all forms and reductions that are made from them: is each either
// refused with a sentence, or a finite plant whose response is that of the system?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "stillpoint/linear_system.h"

namespace stillpoint::testing {

struct ControlledSystem {
  std::string kind;  ///< "free chain", "bent beams", ...
  LinearSystem system;
};

/// Draws a system with one or two inputs and outputs.
ControlledSystem controlled_system(std::uint64_t seed);

/// What became of one form or reduction.
struct PlantOutcome {
  std::string form;     ///< "state-space", "balanced", ...
  std::string refusal;  ///< the sentence; empty if the plant was made
  std::string fault;    ///< "NaN", "the response is off by 0.3"; empty: none
};
std::vector<PlantOutcome> outcomes_of(const LinearSystem& system);

}  // namespace stillpoint::testing
