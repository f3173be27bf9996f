// The largest singular value of a sparse matrix, to about one percent (Golub & Kahan 1965, as Lanczos' method for SᵀS).
//
//   S V = U B,  Sᵀ U = V Bᵀ + …     B upper bidiagonal, a column for each step: its largest singular value
//
// approaches that of S from below. The largest values of a chain lie close together: there the power method creeps, and
// stops several percent too low.
#pragma once

#include "stillpoint/sparse.h"

namespace stillpoint {

/// 0 for a matrix of zeros. Time: two products with S for each of some ten steps.
double largest_singular_value(const SparseMatrix& S);

}  // namespace stillpoint
