// Sensitivity of eigenvalues to rounding of the equilibrium, as a part of their error bounds, theory (6.8).
#pragma once

#include "modes/problem/bordered_problem.h"
#include "stillpoint/modes.h"

namespace stillpoint {

/// Adds the first-order change of an eigenvalue at the perturbed equilibria to its error bound, by squares, as the two
/// are independent. x and y are the vectors of the eigenvalue, with multipliers; `problem` is that of the system.
double widened_by_equilibrium_error(double error, std::complex<double> s, const BorderedVector& x,
                                    const BorderedVector& y, const LinearSystem& system,
                                    const BorderedProblem& problem);

/// Does the same for all modes, by their shapes.
void widen_by_equilibrium_error(std::vector<Mode>& modes, const LinearSystem& system, const BorderedProblem& problem);

}  // namespace stillpoint
