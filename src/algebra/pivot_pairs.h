// Which unknowns are to be eliminated together: a multiplier has no diagonal entry to divide by until one of the
// coordinates that it constrains is gone, so each goes with such a coordinate, as one node of the graph to be ordered.
//
// That only guides the order. Whether [[a, b], [b, 0]] is a good pivot is decided when the numbers are known.
#pragma once

#include <vector>

#include "algebra/pattern_graph.h"

namespace stillpoint {

/// A graph of nodes with one or two unknowns each, two nodes being neighbours when the matrix couples any of theirs.
struct NodeGraph : PatternGraph {
  std::vector<Index> first;   ///< of each node: its first unknown
  std::vector<Index> second;  ///< its second unknown, or −1

  Index nodes() const { return static_cast<Index>(first.size()); }
  Index weight(Index node) const { return second[node] < 0 ? 1 : 2; }
};

/// Pairs every unknown without a diagonal entry with the neighbour of lowest degree that is still free, if there is
/// one, preferring neighbours with a diagonal. The pattern is symmetric, with both triangles.
NodeGraph pair_pivots(const SparseMatrix& pattern);

}  // namespace stillpoint
