// Symbolic multifrontal analysis [Duff & Reid 1983]: the assembly tree, and all that depends on the pattern alone.
//
// A front is a small dense symmetric matrix. Its first rows are the unknowns that it eliminates; the others form its
// border, the unknowns coupled with these that are eliminated later. Its contribution to the border is assembled into
// its parent.
#pragma once

#include <cstdint>
#include <vector>

#include "algebra/ldlt/front_branches.h"
#include "stillpoint/sparse.h"

namespace stillpoint {

struct FrontTree {
  std::vector<Index> unknown;  ///< unknown of A at each position of the elimination order

  // Fronts in postorder: the children of a front are those that were finished last and have not been assembled.
  std::vector<Index> first;                 ///< position of the first own unknown of each front, and n at the end
  std::vector<Index> children;              ///< number of children of each front
  std::vector<std::int64_t> border_starts;  ///< where the border of each front begins in `border`, and one past the end
  std::vector<Index> border;                ///< positions, ascending in each front

  // The entries of A in the column of each position: those of the lower triangle in the elimination order.
  std::vector<Index> entry_starts;
  std::vector<Index> entry_row;     ///< position of the row
  std::vector<Index> entry_source;  ///< index of the value among those that A stores

  FrontBranches branches;

  Index unknowns() const { return static_cast<Index>(unknown.size()); }
  Index fronts() const { return static_cast<Index>(children.size()); }

  // Of one front, if no unknown is delayed: its own unknowns, its rows, and its entries of L with the unit diagonal.
  Index own(Index front) const { return first[front + 1] - first[front]; }
  Index size(Index front) const {
    return own(front) + static_cast<Index>(border_starts[front + 1] - border_starts[front]);
  }
  std::int64_t entries(Index front) const {
    const std::int64_t columns = own(front);
    return columns * size(front) - columns * (columns - 1) / 2;
  }
};

/// Analyses a pattern, which must be square, compressed and symmetric, with both triangles stored.
FrontTree build_front_tree(const SparseMatrix& pattern);

}  // namespace stillpoint
