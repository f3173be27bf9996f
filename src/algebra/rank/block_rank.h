// Full row rank of a sparse matrix, judged block by block.
//
// Rows are matched with columns, and the matrix of the matched columns is brought to block triangular form [Duff & Reid
// 1978] by the library BTF of SuiteSparse. Its determinant is the product of those of the blocks on the diagonal, so
// the rows are independent wherever each block is regular, however many blocks follow each other. The smallest singular
// value of the whole matrix says less: in a chain of N loops it falls like 1/N, until a chain of millions seems to be
// singular to working precision.
#pragma once

#include <optional>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Returns the least singular value of any block (a lower bound of it), relative to the largest norm of its rows in the
/// whole matrix. Returns nothing if not all rows can be matched, or if a block has more than `largest` rows.
std::optional<double> smallest_value_of_blocks(const SparseMatrix& S, Index largest);

/// Returns that value if it shows that all rows are independent: above the noise by a certain gap, so that no gap
/// farther down can be larger.
std::optional<double> full_by_blocks(const SparseMatrix& S, double noise_floor);

}  // namespace stillpoint
