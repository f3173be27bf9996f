// The equilibrium next to a known one on a path, by Newton's method from a prediction of coordinates and multipliers.
//
// The prediction satisfies the constraints and balances the forces up to the square of the step, so nothing has to be
// assembled, and no multipliers to be fitted. The rank of J is that of the neighbour as long as
//
//   ‖Ĵ − Ĵ₀‖_F ≤ ½ σ_min(Ĵ₀)            [Weyl 1912]: then σ_min(Ĵ) ≥ ½ σ_min(Ĵ₀)
//
// with the Jacobian Ĵ₀ where it was decided last. Everything else is examined as at any equilibrium.
#pragma once

#include <memory>

#include "stillpoint/equilibrium.h"

namespace stillpoint {

/// Where the rank of J was decided last, and found to be full.
struct FullRank {
  SparseMatrix J;      ///< scaled
  double least = 0;    ///< its smallest singular value
  double largest = 0;  ///< its largest one
  RankDecision decision;
};

struct CorrectedEquilibrium {
  Equilibrium rest;                      ///< `not_converged` if Newton's method does not go on from the prediction
  std::shared_ptr<const FullRank> rank;  ///< for the next one; null if its rank must be decided anew
};

/// `neighbour` is the known equilibrium and `rank` what is known of its rank, which may be null. Where the neighbour,
/// or what Newton's method finds, is next to a change of the rank, the search is the one of find_equilibrium for the
/// nearest equilibrium.
CorrectedEquilibrium corrected_equilibrium(const Model& model, const State& predicted, const Equilibrium& neighbour,
                                           const std::shared_ptr<const FullRank>& rank = {});

}  // namespace stillpoint
