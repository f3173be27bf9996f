// Some rows of a sparse matrix.
#pragma once

#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// The rows must ascend.
SparseMatrix chosen_rows(const SparseMatrix& A, const std::vector<Index>& rows);

}  // namespace stillpoint
