// The eigenvalues nearest to a point, also where these lie densely and far from it.
//
// From the point itself they look alike then: 1/(s − σ) of one differs from that of the next by too little. So the
// shift moves to where they seem to be, step by step, until those around it converge; there they are counted. What is
// found from several such places is put together, and a count around the point says whether anything else is nearer.
#pragma once

#include "modes/quadratic_search.h"

namespace stillpoint {

QuadraticPairs find_nearest(const BorderedProblem& problem, const QuadraticPencil& pencil,
                            const QuadraticRequest& request);

}  // namespace stillpoint
