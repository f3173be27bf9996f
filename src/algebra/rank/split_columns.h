// Splitting of dense columns [Vanderbei 1991]. A column of S with very many entries, such as that of a body with
// thousands of constraints, would fill the factor of S Sᵀ. k copies of the coordinate share its entries, and links x₁ =
// x₂ = … = x_k keep them equal.
//
//   S' = [ S with √k times its entries, distributed over the copies ]      rows: those of S, then the links
//        [ +1 −1 between consecutive copies                          ]
//
// With the weight √k, eliminating the links from S' S'ᵀ leaves exactly S Sᵀ. Solutions with S' S'ᵀ for right-hand sides
// that are zero in the links are solutions with S Sᵀ, and the rank is that of S plus the number of links.
#pragma once

#include "stillpoint/sparse.h"

namespace stillpoint {

struct SplitColumns {
  SparseMatrix S;
  Index rows = 0;  ///< number of rows of the original matrix; the other rows are links
};

/// Whether a column has so many entries that it must be split.
bool has_dense_columns(const SparseMatrix& S);
SplitColumns split_columns(const SparseMatrix& S);

}  // namespace stillpoint
