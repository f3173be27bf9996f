// Accelerations and multipliers of the penalty method without its compliance: the multipliers are iterated (Bayo and
// Avello 1994) until the constraints hold for accelerations,
//
//   M_p δ = r − M a − Jᵀλ + JᵀΞ ρ,   ρ = γ − J a,   a ← a + δ,   λ ← λ + Ξ (J δ − ρ),     M_p = M + JᵀΞJ      (T45)
//
//   r = F u − C q̇ − K q,   γ = G ü + Θ (G u̇ − J q̇) + Ω (G u − J q)
//
// which is what the penalty method becomes as Ξ grows. The first step is the penalty method itself.
#pragma once

#include "stillpoint/forms.h"

namespace stillpoint {

/// As linear functions of (q, q̇, u, u̇, ü), side by side.
struct PenaltyAccelerations {
  Eigen::MatrixXd a, lambda;  ///< a: of the coordinates `massive` only
  int steps = 0;
};

/// `massive`: the coordinates with mass or constraints, which have an acceleration. Throws Error if a motion that the
/// constraints allow has no mass.
PenaltyAccelerations penalty_accelerations(const LinearSystem& system, const PenaltyForm& form,
                                           const std::vector<Index>& massive);

}  // namespace stillpoint
