// Preselection of 2 × 2 pivots for indefinite matrices (compressed graph, [Duff & Pralet 2005]).
//
// A multiplier has no diagonal entry to serve as a pivot until one of the coordinates that it constrains has been
// eliminated. Each multiplier therefore forms one node of the graph together with such a coordinate, before the graph
// is ordered. This only guides the order: whether [[a, b], [b, 0]] is an acceptable pivot is decided numerically.
#pragma once

#include <vector>

#include "algebra/ordering/pattern_graph.h"

namespace stillpoint {

/// A graph whose nodes have one or two unknowns each. Two nodes are neighbours if the matrix couples any of their
/// unknowns.
struct NodeGraph : PatternGraph {
  std::vector<Index> first;   ///< first unknown of each node
  std::vector<Index> second;  ///< second unknown of each node, or −1

  Index nodes() const { return static_cast<Index>(first.size()); }
  Index weight(Index node) const { return second[node] < 0 ? 1 : 2; }
};

/// Pairs every unknown that has no diagonal entry with its free neighbour of lowest degree, if there is one; neighbours
/// with a diagonal entry are preferred. Diagonal entries of the last unknowns, `multipliers` of them, do not count:
/// they are places for what is zero or small. The pattern must be symmetric, with both triangles stored.
NodeGraph pair_pivots(const SparseMatrix& pattern, Index multipliers = 0);

}  // namespace stillpoint
