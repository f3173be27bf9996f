// Tests for symmetric and skew-symmetric sparse matrices, up to rounding.
#pragma once

#include "stillpoint/sparse.h"

namespace stillpoint {

/// The largest magnitude of an entry; 0 for a matrix without entries.
double largest_entry(const SparseMatrix& A);

/// Whether A is square, stores a_ji wherever it stores a_ij, and has ascending row indices in each column.
bool has_symmetric_pattern(const SparseMatrix& A);

/// Whether no entry differs from its transposed entry by more than `rounding` times the largest entry of A, nor by more
/// than 10⁻³ √(|a_ii| |a_jj|). The tolerance allows for what assembly and projection leave of a symmetric matrix.
bool is_symmetric(const SparseMatrix& A, double rounding = 1e-12);

/// Whether A is skew-symmetric, A + Aᵀ = 0, up to `rounding` times its largest entry. A zero matrix is skew-symmetric.
bool is_skew(const SparseMatrix& A, double rounding = 1e-12);

/// Returns (A + Aᵀ) / 2.
SparseMatrix symmetric_part(const SparseMatrix& A);

/// Whether each diagonal entry is at least the sum of the magnitudes of the other entries in its row. A symmetric A is
/// then positive semidefinite (Gershgorin).
bool is_diagonally_dominant(const SparseMatrix& A);

}  // namespace stillpoint
