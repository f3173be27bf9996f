// How large an LU with pivots really becomes: what a pattern alone does not tell of a matrix with zeros on its
// diagonal.
#pragma once

#include "stillpoint/sparsity.h"

namespace stillpoint {

/// Entries of L + U (one diagonal) and of the blocks beside them, by KLU in its own order: block triangular form, AMD
/// within. Unknown if A is singular, or too large for it. (By value: KLU wants pointers to what is not const.)
FactorCount count_lu(SparseMatrix A);

}  // namespace stillpoint
