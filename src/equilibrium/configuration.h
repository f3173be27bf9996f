// Type of a configuration: redundant constraints, singular configurations and their branches, theory (9.1). This is a
// second-order analysis of mobility. References: [Müller 2016], [Connelly & Whiteley 1996].
//
// With left null vectors ν of J, a velocity t in null(J) is tangent to a motion only if tᵀ B_ν t = 0 for all ν, where
// B_ν = ∂(Jᵀν)/∂q. If the forms vanish on null(J), the constraints are redundant. If they do not, the configuration is
// singular, and the cone of its tangents is split into linear subspaces; a subspace counts as a branch after a motion
// along it was found at two step sizes.
#pragma once

#include "equilibrium/statics.h"
#include "stillpoint/equilibrium.h"

namespace stillpoint {

struct ConfigurationReport {
  ConfigurationType kind = ConfigurationType::regular;
  Index redundant = 0, free_multipliers = 0;
  std::vector<std::vector<Index>> dependent_rows;  ///< sets of rows, each with one redundant equation
  std::vector<Branch> branches;
  std::string remark;  ///< what could not be decided, and why
};

/// Classifies a state, whatever its multipliers; `noise` is the relative uncertainty of the state.
ConfigurationReport classify_configuration(Statics& statics, const State& state, const RowDependence& dependence,
                                           double noise);

}  // namespace stillpoint
