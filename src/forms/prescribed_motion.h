// Consistency of prescribed motion with dependent constraints.
#pragma once

#include "stillpoint/linear_system.h"

namespace stillpoint {

/// Checks that J δq = G δu has a solution for every δu: where rows of J are dependent (νᵀJ = 0), those of G must be too
/// (νᵀG = 0). Throws Error with the input and the constraints otherwise.
void require_consistent_motion(const LinearSystem& system);

}  // namespace stillpoint
