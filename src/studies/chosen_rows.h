// Some rows of a sparse matrix, in the order given.
#pragma once

#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

SparseMatrix chosen_rows(const SparseMatrix& A, const std::vector<Index>& rows);

}  // namespace stillpoint
