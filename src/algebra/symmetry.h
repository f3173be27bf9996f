// Whether a matrix is symmetric, but for rounding.
#pragma once

#include "stillpoint/sparse.h"

namespace stillpoint {

/// In magnitude; 0 without entries.
double largest_entry(const SparseMatrix& A);

/// A is square, where a_ij has a place a_ji has one, and rows ascend in each column.
bool has_symmetric_pattern(const SparseMatrix& A);

/// No entry differs from that of the transposed matrix by more than that part of the largest, nor by what is seen
/// beside the diagonal entries of its row and column. As it stands: what assembling and projecting leave of a symmetric
/// matrix.
bool is_symmetric(const SparseMatrix& A, double rounding = 1e-12);

/// The same of −A: with its transpose it adds up to zero. So is a matrix of zeros.
bool is_skew(const SparseMatrix& A, double rounding = 1e-12);

/// The mean of A and its transpose.
SparseMatrix symmetric_part(const SparseMatrix& A);

/// No diagonal entry is less than the sum of the others in its row, in magnitude: a symmetric A is then positive
/// semidefinite (Gershgorin).
bool is_diagonally_dominant(const SparseMatrix& A);

/// Whether a matrix that is symmetric but for rounding has a negative eigenvalue that is more than rounding on its
/// diagonal. Takes a factorisation, unless the diagonal dominates.
bool has_negative(const SparseMatrix& A);

/// Whether no motion gains energy by a damping matrix C, symmetric or not: its symmetric part has no negative
/// eigenvalue.
bool only_takes_energy(const SparseMatrix& C);

/// Whether all eigenvalues of such a matrix are positive, by more than rounding on its diagonal. Takes a
/// factorisation.
bool is_positive(const SparseMatrix& A);

}  // namespace stillpoint
