// The eigenvalues nearest to a point by shift-and-invert with multiple shifts, for dense spectra far from the point.
//
// Seen from the point, such eigenvalues have nearly equal θ = 1/(s − σ), so a Krylov method does not converge. The
// shift moves towards the nearest Ritz values until those around it converge, and these are counted. The results of
// several shifts are combined, and a count around the point decides whether any other eigenvalue is nearer.
#pragma once

#include "modes/damped/toar_search.h"

namespace stillpoint {

QuadraticPairs find_nearest(const BorderedProblem& problem, const QuadraticPencil& pencil,
                            const QuadraticRequest& request);

}  // namespace stillpoint
