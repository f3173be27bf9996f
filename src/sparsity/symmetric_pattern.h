// The symmetric pattern of a matrix.
#pragma once

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Returns the pattern of A + Aᵀ with both triangles and positive values. Entries that are exactly zero are left out.
SparseMatrix symmetric_pattern(const SparseMatrix& A);

}  // namespace stillpoint
