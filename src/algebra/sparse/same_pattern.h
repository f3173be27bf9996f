// Whether two sparse matrices have their entries in the same places.
#pragma once

#include <algorithm>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Both must be compressed.
inline bool have_same_pattern(const SparseMatrix& A, const SparseMatrix& B) {
  return A.rows() == B.rows() && A.cols() == B.cols() && A.nonZeros() == B.nonZeros() &&
         std::equal(A.outerIndexPtr(), A.outerIndexPtr() + A.outerSize() + 1, B.outerIndexPtr()) &&
         std::equal(A.innerIndexPtr(), A.innerIndexPtr() + A.nonZeros(), B.innerIndexPtr());
}

}  // namespace stillpoint
