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

#include "equilibrium/bordered_analysis.h"
#include "equilibrium/statics.h"
#include "stillpoint/equilibrium.h"

namespace stillpoint {

/// Where the rank of J was decided last, and found to be full.
struct FullRank {
  SparseMatrix J;      ///< scaled
  double least = 0;    ///< its smallest singular value
  double largest = 0;  ///< its largest one
  RankDecision decision;
};

/// What one correction leaves for the next one.
struct KnownNearby {
  std::shared_ptr<const FullRank> rank;        ///< null if the rank must be decided anew
  std::shared_ptr<BorderedAnalysis> analysis;  ///< null if there is none; of one thread only
};

struct CorrectedEquilibrium {
  Equilibrium rest;  ///< `not_converged` if Newton's method does not go on from the prediction
  KnownNearby known;
  std::shared_ptr<Statics> statics;  ///< of the search, at the equilibrium; null if another search has found it
};

/// `neighbour` is the known equilibrium, and `known` what the correction that found it left. Where the neighbour,
/// or what Newton's method finds, is next to a change of the rank, the search is the one of find_equilibrium for the
/// nearest equilibrium.
CorrectedEquilibrium corrected_equilibrium(const Model& model, const State& predicted, const Equilibrium& neighbour,
                                           const KnownNearby& known = {});

}  // namespace stillpoint
