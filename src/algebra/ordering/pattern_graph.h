// The pattern of a symmetric matrix as an undirected graph, in the format that AMD reads.
#pragma once

#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

struct PatternGraph {
  std::vector<Index> starts;      ///< where the neighbours of each node begin in `neighbours`, and one past the end
  std::vector<Index> neighbours;  ///< each neighbour once; never the node itself

  Index size() const { return static_cast<Index>(starts.size()) - 1; }
};

/// Returns a symmetric pattern, with both triangles, as a graph: the neighbours of each row, in ascending order.
PatternGraph pattern_graph(const SparseMatrix& symmetric);

}  // namespace stillpoint
