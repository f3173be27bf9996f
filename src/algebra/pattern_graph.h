// The pattern of a symmetric matrix as a graph, in the form that AMD and METIS read.
#pragma once

#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

struct PatternGraph {
  std::vector<Index> starts;      ///< of each node's neighbours, and one past the end
  std::vector<Index> neighbours;  ///< each once, without the node itself

  Index size() const { return static_cast<Index>(starts.size()) - 1; }
};

}  // namespace stillpoint
