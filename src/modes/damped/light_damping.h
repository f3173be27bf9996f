// Eigenvalues nearest to zero of a symmetric system with light damping: Galerkin's method with corrected undamped
// modes.
//
// The undamped modes are found and counted first. The space that they span is enlarged by the corrections
//
//   [x'; λ'] = −B₀(σ)⁻¹ [(s² + σ) M x + s C x; 0],   B₀(σ) = [K − σM, Jᵀ; J, 0]                              (11.9)
//
// until x' agrees with x. Each correction is a real solution with a matrix that is factored already. The method gives
// no result if it needs too many corrections or if the number of eigenvalues does not agree with the count; the
// eigenvalues are then searched for by a Krylov method.
#pragma once

#include "modes/damped/toar_search.h"

namespace stillpoint {

std::optional<QuadraticPairs> find_lightly_damped(const BorderedProblem& problem, const QuadraticPencil& pencil,
                                                  const QuadraticRequest& request);

}  // namespace stillpoint
