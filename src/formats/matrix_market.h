// Sparse matrices in the Matrix Market exchange format [Boisvert 1996].
//
// Reading supports `coordinate` and `array`; `real` and `integer`; `general`, `symmetric` and `skew-symmetric`, of
// which either triangle may be given. A duplicate entry is an error, because the format does not define whether it is
// to be added or replaced. Writing uses `coordinate real`, `symmetric` where the matrix is symmetric, and as many
// digits as reproduce each double exactly.
#pragma once

#include <string>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Reads a matrix. Throws Error with file, line and column.
SparseMatrix read_matrix_market(const std::string& path);

/// Writes all stored entries, including zeros; `title` becomes a comment. The file is written completely or not at all.
/// Throws Error.
void write_matrix_market(const std::string& path, const SparseMatrix& A, const std::string& title);

}  // namespace stillpoint
