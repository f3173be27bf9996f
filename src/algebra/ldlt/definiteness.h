// Definiteness of symmetric sparse matrices, by the inertia of the factorisation A = L D Lᵀ.
//
// By Sylvester's law of inertia the signs of D are those of the eigenvalues of A. Each test perturbs the diagonal by a
// few rounding errors of its own entries, so that an eigenvalue within rounding of zero does not decide. Each takes one
// factorisation.
#pragma once

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Whether A, symmetric up to rounding, has a negative eigenvalue that is more than rounding of its diagonal. No
/// factorisation is needed where A is diagonally dominant.
bool has_negative_eigenvalue(const SparseMatrix& A);

/// Whether all eigenvalues of A, symmetric up to rounding, are positive by more than rounding of its diagonal.
bool is_positive_definite(const SparseMatrix& A);

/// Whether the damping matrix C, symmetric or not, supplies no energy to any motion: vᵀC v ≥ 0 for every v, so the
/// symmetric part of C has no negative eigenvalue.
bool is_dissipative(const SparseMatrix& C);

}  // namespace stillpoint
