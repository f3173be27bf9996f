// Is a rest position stable? Signs of the eigenvalues of the reduced K, by the inertia of the bordered matrix.
#pragma once

#include <optional>

#include "equilibrium/statics.h"
#include "stillpoint/symmetric_factor.h"

namespace stillpoint {

/// K = Kᵀ up to rounding, in numbers without units.
bool is_symmetric(const SparseMatrix& K, const Eigen::VectorXd& s);

/// Of the reduced K at a point, whose rows in use are independent.
struct StiffnessSigns {
  Index negative = 0, zero = 0;
  double band = 0;          ///< what counts as zero, relative to the largest entry of K
  bool sharp = true;        ///< no sign is in doubt within rounding
  double shift_beyond = 0;  ///< a shift of K after which none is negative; 0 if none is
};

/// `blur`: how far the state may be from rest, relative: eigenvalues nearer to zero than that count as zero.
StiffnessSigns count_signs(Statics& statics, const Matrices& at, double blur);

/// A state off a saddle, along a direction of negative curvature and lower in potential. Empty if none was found.
std::optional<State> leave_saddle(Statics& statics, Point saddle, const StiffnessSigns& signs);

}  // namespace stillpoint
