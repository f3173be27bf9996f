// Whether a plant may stand for its system: its poles with their evidence, and what speaks against it.
#pragma once

#include <string>
#include <vector>

#include "stillpoint/plant.h"
#include "stillpoint/report.h"

namespace stillpoint {

/// All poles of a small system are found, of a large one the lowest.
bool needs_all_poles(const LinearSystem& system);

/// Finds the poles as the verb `modes` does; of a large system the lowest ones, with a certified count.
ModesReport poles_for_plant(const AnalysisCase& analysis, AnalysisOptions how);

struct PlantObjection {
  enum Kind { off_equilibrium, rank_undecided, singular, uncertified };
  Kind kind = uncertified;
  std::string reason;
};
/// Empty if nothing speaks against a plant of this system.
std::vector<PlantObjection> objections_to_plant(const AnalysisCase& analysis, const ModesReport& poles);

/// Whether a reduced plant is wrong by more than the whole response, so that it is no model of the system.
bool is_useless(const Plant& plant);
/// The measured error of a reduced plant in words.
std::string error_of_reduction(const Plant& plant);

}  // namespace stillpoint
