// Prescribed motion and dependent constraints.
#pragma once

#include "stillpoint/linear_system.h"

namespace stillpoint {

/// J δq = G δu has a solution for every δu: where rows of J depend on each other (νᵀJ = 0), so do those of G (νᵀG = 0).
/// Throws Error with the input and the constraints otherwise.
void require_consistent_motion(const LinearSystem& system);

}  // namespace stillpoint
