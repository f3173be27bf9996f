// Matrices in files of the Matrix Market format, the exchange format of sparse matrices.
//
// Read: `coordinate` and `array`; `real` and `integer`; `general`, `symmetric` and `skew-symmetric`, of which one
// triangle is there, either one. An entry that is there twice is refused: whether it should be added up, replaced or is
// a slip, nobody can tell. Written: `coordinate real`, `symmetric` if the matrix is, each number with as many digits as
// bring back the same double.
#pragma once

#include <string>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Throws Error with file, line and column.
SparseMatrix read_matrix_market(const std::string& path);

/// All stored entries, zeros too; `title` goes into a comment. The file appears whole or not at all. Throws Error.
void write_matrix_market(const std::string& path, const SparseMatrix& A, const std::string& title);

}  // namespace stillpoint
