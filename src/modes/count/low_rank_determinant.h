// The determinant of a symmetric system with low-rank damping, from a matrix of the order of that rank (matrix
// determinant lemma).
//
//   C = B Bᵀ:   det (s²M + sC + K) = det (s²M + K) · det (I + s G(s²)),   G(λ) = Bᵀ (λM + K)⁻¹ B               (11.15)
//
// on the motions that the constraints allow. The undamped modes below √2 times the radius are all known and give the
// poles of G near the disc; a series with real factorisations gives the rest, theory (11.16), with a bound of what it
// leaves out. So real factorisations do where the determinant of the pencil takes a complex one at each point.
#pragma once

#include "modes/count/argument_principle.h"

namespace stillpoint {

/// Returns a function that has the zeros of the pencil and no poles in the disc |s| ≤ radius (scaled), and is NaN where
/// what the series leaves out might change the count. Returns an empty one if the rank of C is not low for the size of
/// the pencil, M, C or K is not symmetric, M or C not positive semidefinite, K negative on motions that are not slow,
/// or if the undamped modes cannot be found.
LogDeterminant log_determinant_of_low_rank(const BorderedProblem& problem, const QuadraticPencil& pencil, double radius,
                                           const Supervision& supervision = {});

}  // namespace stillpoint
