// Congruence transformation Rᵀ A R of the sparse matrices of a system.
#pragma once

#include "stillpoint/sparse.h"

namespace stillpoint {

/// The result is exactly symmetric if A is. Dense products are used if R is so full that they are faster.
SparseMatrix congruence(const SparseMatrix& R, const SparseMatrix& A);

bool is_exactly_symmetric(const SparseMatrix& A);

/// Returns (A + Aᵀ) / 2, which removes the rounding errors of a product that is symmetric by construction.
SparseMatrix symmetrised(const SparseMatrix& A);

}  // namespace stillpoint
