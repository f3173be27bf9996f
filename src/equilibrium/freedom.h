// What can move from a state: redundant constraints, singular configurations and their branches (mathematics §2).
//
// With left null vectors ν of J, a velocity t in null(J) belongs to a real motion only if tᵀ B_ν t = 0 for all ν, where
// B_ν = ∂(Jᵀν)/∂q. Forms that vanish on null(J): redundant constraints. Others: a singular configuration, whose cone of
// tangents is split into flat pieces; a piece is a branch after motion along it was found at two step sizes.
#pragma once

#include "equilibrium/statics.h"
#include "stillpoint/equilibrium.h"

namespace stillpoint {

struct FreedomReport {
  Freedom kind = Freedom::regular;
  Index redundant = 0, free_multipliers = 0;
  std::vector<std::vector<Index>> dependent_rows;  ///< sets, of rows that are redundant
  std::vector<Branch> branches;
  std::string remark;  ///< what could not be found out, and why
};

/// At a state, whatever its multipliers; `noise`: how well it is known, relative.
FreedomReport find_freedom(Statics& statics, const State& state, const RowDependence& dependence, double noise);

}  // namespace stillpoint
