// Column elimination tree of a sparse matrix: the elimination tree [Liu 1990] of S Sᵀ = Rᵀ R, which is factored by
// orthogonal transformations of Sᵀ, and a fill-reducing order of the rows of S.
//
// S Sᵀ is never formed numerically. Its pattern must not be dense: columns of S with many entries are split first
// (split_columns.h).
#pragma once

#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Returns an order of the rows of S that keeps R sparse (approximate minimum degree, [Amestoy 1996]).
/// Throws std::length_error if the pattern of S Sᵀ needs indices of more than 32 bits.
std::vector<Index> fill_reducing_order(const SparseMatrix& S, const SparseMatrix& S_transposed);

/// Positions count from 0. Every position precedes its parent, and each subtree is a contiguous range of positions.
struct ColumnTree {
  std::vector<Index> order;     ///< row of S at each position
  std::vector<Index> position;  ///< position of each row of S
  std::vector<Index> parent;    ///< parent of each position; −1 for a root
};

/// Builds the tree of an order and renumbers it in postorder, which does not change the fill.
ColumnTree column_tree(const SparseMatrix& S_transposed, const std::vector<Index>& order);

}  // namespace stillpoint
