// In which order the rows of S are eliminated when S Sᵀ = Rᵀ R is factored by orthogonal transformations of Sᵀ, and
// which tree that makes. S Sᵀ itself is never formed with numbers, and never where it would be dense: split columns
// with many entries first (split_columns.h).
#pragma once

#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Rows of S in an order that keeps R sparse (approximate minimum degree). Throws std::length_error beyond 32 bits.
std::vector<Index> fill_reducing_order(const SparseMatrix& S, const SparseMatrix& S_transposed);

/// Positions count from 0; every position comes before its parent, and each subtree is a run of positions.
struct ColumnTree {
  std::vector<Index> order;     ///< which row of S is at each position
  std::vector<Index> position;  ///< of each row of S
  std::vector<Index> parent;    ///< of each position; −1 for a root
};

/// The tree of an order, reordered without change of fill so that subtrees are runs.
ColumnTree column_tree(const SparseMatrix& S_transposed, const std::vector<Index>& order);

}  // namespace stillpoint
