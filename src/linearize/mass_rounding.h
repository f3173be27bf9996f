// The rounding of a mass matrix. A massless direction of a body, such as the twist of a beam without rotary inertia, is
// turned by the rotation of the body, and rounding of that rotation leaves entries of M in its place:
//
//   |δM_ij| ≤ ε √(T_i T_j),     T_i the largest diagonal entry of M among the coordinates that rotation mixes with i
#pragma once

#include "stillpoint/model.h"
#include "stillpoint/sparse.h"

namespace stillpoint {

/// Returns the mass matrix without the rows and columns that are no more than its rounding.
SparseMatrix without_rounding(const SparseMatrix& M, const Model& model);

}  // namespace stillpoint
