// Error bars that know how well the rest position is known.
#pragma once

#include "modes/bordered_problem.h"
#include "stillpoint/modes.h"

namespace stillpoint {

/// By how much each eigenvalue differs, to first order, at the system's neighbours joins its error bar (T52), as what
/// is independent of it does: by squares. `problem` is that of the system.
void widen_by_neighbours(std::vector<Mode>& modes, const LinearSystem& system, const BorderedProblem& problem);

}  // namespace stillpoint
