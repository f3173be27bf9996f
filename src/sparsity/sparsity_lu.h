// Actual size, and time, of an LU factorisation with pivoting, which the pattern of a matrix with zeros on its diagonal
// does not determine.
#pragma once

#include "stillpoint/sparsity.h"

namespace stillpoint {

/// Counts the entries of L + U (with one diagonal) and of the off-diagonal blocks, by KLU [Davis & Palamadai 2010]
/// in its own order: block triangular form, with AMD inside the blocks. The count is unknown if A is singular or
/// too large. The numerical factorisation is timed on request. A is passed by value because KLU takes non-const
/// pointers.
FactorCount count_lu(SparseMatrix A, bool timed = false);

}  // namespace stillpoint
