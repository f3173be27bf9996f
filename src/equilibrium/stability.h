// Stability of an equilibrium by the energy criterion: the signs of the eigenvalues of the reduced stiffness RᵀKR
// follow from the inertia of the bordered matrix [K, Jᵀ; J, 0], which has m negative eigenvalues more. Reference:
// [Gould 1985].
#pragma once

#include <optional>

#include "equilibrium/statics.h"
#include "stillpoint/detail/symmetric_factor.h"

namespace stillpoint {

/// Tells whether K = Kᵀ up to rounding, in scaled coordinates.
bool is_symmetric(const SparseMatrix& K, const Eigen::VectorXd& s);

/// Eigenvalue signs of the reduced K at a point whose rows in use are independent.
struct StiffnessSigns {
  Index negative = 0, zero = 0;
  double band = 0;          ///< eigenvalues within ± band count as zero, relative to the largest entry of K
  bool sharp = true;        ///< rounding leaves no sign undecided
  double shift_beyond = 0;  ///< a shift of K that makes all eigenvalues positive; 0 if none is negative
};

/// Counts the signs. `uncertainty` is the relative distance of the state from equilibrium: smaller eigenvalues count as
/// zero.
StiffnessSigns count_signs(Statics& statics, const Matrices& at, double uncertainty);

/// Leaves a saddle point along a direction of negative curvature [Moré & Sorensen 1979] to a state of lower
/// potential. The result is empty if none was found.
std::optional<State> leave_saddle(Statics& statics, Point saddle, const StiffnessSigns& signs);

}  // namespace stillpoint
