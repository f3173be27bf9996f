// Rᵀ A R for the sparse matrices of a system.
#pragma once

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Exactly symmetric if A is. By dense products where R is so full that these are faster.
SparseMatrix congruence(const SparseMatrix& R, const SparseMatrix& A);

bool is_exactly_symmetric(const SparseMatrix& A);

/// (A + Aᵀ) / 2: takes the rounding errors out of a product that is symmetric by construction.
SparseMatrix symmetrised(const SparseMatrix& A);

}  // namespace stillpoint
