// Matrices of Eigen 3.4 move by swap() alone: everything else copies them.
#pragma once

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Returns the matrix and leaves an empty one behind, without a copy.
inline SparseMatrix take(SparseMatrix& from) {
  SparseMatrix taken;
  taken.swap(from);
  return taken;
}

}  // namespace stillpoint
