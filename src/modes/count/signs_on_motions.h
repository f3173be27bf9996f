// Inertia of symmetric and Hermitian matrices on the motions that the constraints allow.
#pragma once

#include <optional>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Returns the number of negative eigenvalues of a symmetric matrix on null(J); nothing if one is zero to working
/// precision.
std::optional<Index> negative_on_motions(const SparseMatrix& A, const SparseMatrix& J);

/// Does the same for the Hermitian matrix A + iB, A symmetric and B skew-symmetric, by its real form [A, −B; B, A],
/// which has each eigenvalue twice.
std::optional<Index> negative_on_motions(const SparseMatrix& A, const SparseMatrix& B, const SparseMatrix& J);

}  // namespace stillpoint
