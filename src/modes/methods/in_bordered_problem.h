// The methods with a bordered problem that is there already, and that rates of the modes are taken from afterwards.
#pragma once

#include "modes/problem/bordered_problem.h"
#include "stillpoint/modes.h"

namespace stillpoint {

/// The same as without the problem, which is that of the system with the summed stiffness.
Spectrum solve_modes(const LinearSystem& system, const MinimalForm& form, const ModesOptions& options,
                     const BorderedProblem& problem);
Spectrum solve_general(const LinearSystem& system, const ModesOptions& options, const BorderedProblem& problem);
/// A factored stiffness needs another problem, which is made then.
Spectrum solve_some(const LinearSystem& system, const ModesOptions& options, const BorderedProblem& problem);

}  // namespace stillpoint
