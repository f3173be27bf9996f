// The eigenvalues nearest to zero of a symmetric system with little damping, from the modes that it has without.
//
// These are found and counted first. The space they span is made larger by what damping adds to them, until
//
//   [x'; λ'] = −B₀(σ)⁻¹ [(s² + σ) M x + s C x; 0],   B₀(σ) = [K − σM, Jᵀ; J, 0]                               (T49)
//
// leaves x as it is: real solutions with a matrix that is factored already. Nothing where that takes too many, or where
// it does not lead to as many eigenvalues as there are; then these have to be looked for otherwise.
#pragma once

#include "modes/quadratic_search.h"

namespace stillpoint {

std::optional<QuadraticPairs> find_lightly_damped(const BorderedProblem& problem, const QuadraticPencil& pencil,
                                                  const QuadraticRequest& request);

}  // namespace stillpoint
