// Error bars that know how well the rest position is known.
#pragma once

#include "modes/bordered_problem.h"
#include "stillpoint/modes.h"

namespace stillpoint {

/// By how much an eigenvalue differs, to first order, at the system's neighbours joins its error bar (T52), as what is
/// independent of it does: by squares. x, y: its vectors, with multipliers; `problem` is that of the system.
double widened_by_neighbours(double error, std::complex<double> s, const BorderedVector& x, const BorderedVector& y,
                             const LinearSystem& system, const BorderedProblem& problem);

/// The same of all modes, by their shapes.
void widen_by_neighbours(std::vector<Mode>& modes, const LinearSystem& system, const BorderedProblem& problem);

}  // namespace stillpoint
