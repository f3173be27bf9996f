// Accelerations and multipliers by the augmented Lagrangian method [Bayo & Avello 1994]: the multipliers of the penalty
// method are iterated until the constraints hold for accelerations, so that no constraint compliance remains,
//
//   M_p δ = r − M a − Jᵀλ + JᵀΞ ρ,   ρ = γ − J a,   a ← a + δ,   λ ← λ + Ξ (J δ − ρ),     M_p = M + JᵀΞJ     (12.3)
//
//   r = F u − C q̇ − K q,   γ = G ü + Θ (G u̇ − J q̇) + Ω (G u − J q)
//
// The result is the limit of the penalty method for large Ξ. The first step is the penalty method itself.
#pragma once

#include "stillpoint/forms.h"

namespace stillpoint {

/// Linear functions of (q, q̇, u, u̇, ü): the columns of each follow one another in this order.
struct PenaltyAccelerations {
  Eigen::MatrixXd a, lambda;  ///< accelerations of the coordinates `massive` only; multipliers
  int steps = 0;
};

/// `massive` are the coordinates with mass or constraints, which have an acceleration. Throws Error if a motion that
/// the constraints allow has no mass.
PenaltyAccelerations penalty_accelerations(const LinearSystem& system, const PenaltyForm& form,
                                           const std::vector<Index>& massive);

}  // namespace stillpoint
