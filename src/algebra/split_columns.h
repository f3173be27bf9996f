// A column of S with very many entries (a body that thousands of constraints hold on to) would fill the factor of S Sᵀ.
// It is split: k copies of the coordinate share its entries, and links x₁ = x₂ = … = x_k tie them together.
//
//   S' = [ S with √k times its entries, spread over the copies ]       rows: those of S, then the links
//        [ +1 −1 between neighbouring copies                   ]
//
// With the weight √k, eliminating the links from S' S'ᵀ leaves S Sᵀ exactly: solutions with S' S'ᵀ for right-hand sides
// that are zero in the links are solutions with S Sᵀ, and the rank is that of S plus the number of links.
#pragma once

#include "stillpoint/sparse.h"

namespace stillpoint {

struct SplitColumns {
  SparseMatrix S;
  Index rows = 0;  ///< of the matrix that was split; further ones are links
};

SplitColumns split_columns(const SparseMatrix& S);

}  // namespace stillpoint
