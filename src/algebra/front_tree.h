// Everything about a multifrontal factorisation that depends on the pattern alone (Duff & Reid 1983).
//
// A front is a small dense symmetric matrix: first the unknowns that it eliminates, then its border, those that they
// are coupled with and that are eliminated further up. What it leaves behind in its border is added to its parent.
#pragma once

#include <cstdint>
#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

struct FrontTree {
  std::vector<Index> unknown;  ///< of A, at each position of the order of elimination

  // Fronts, in an order in which the children of a front are those last done and not yet used up.
  std::vector<Index> first;                 ///< position of the first own unknown of each front, and n
  std::vector<Index> children;              ///< how many
  std::vector<std::int64_t> border_starts;  ///< in `border`, of each front, and one past the end
  std::vector<Index> border;                ///< positions, ascending in each front

  // Entries of A in the column of each position: those of the lower triangle, in the order of elimination.
  std::vector<Index> entry_starts;
  std::vector<Index> entry_row;     ///< position
  std::vector<Index> entry_source;  ///< which of the numbers that A stores

  Index unknowns() const { return static_cast<Index>(unknown.size()); }
  Index fronts() const { return static_cast<Index>(children.size()); }
};

/// The pattern is square, compressed and symmetric, with both triangles.
FrontTree plan_fronts(const SparseMatrix& pattern);

}  // namespace stillpoint
