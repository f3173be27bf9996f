#include "algebra/ordering/pattern_graph.h"

#include "base/at.h"

namespace stillpoint {

PatternGraph pattern_graph(const SparseMatrix& symmetric) {
  PatternGraph graph;
  graph.starts.reserve(at(symmetric.cols()) + 1);
  graph.starts.push_back(0);
  graph.neighbours.reserve(at(symmetric.nonZeros()));
  for (Index j = 0; j < symmetric.cols(); ++j) {
    for (SparseMatrix::InnerIterator entry(symmetric, j); entry; ++entry) {
      if (entry.row() != j) graph.neighbours.push_back(static_cast<Index>(entry.row()));
    }
    graph.starts.push_back(static_cast<Index>(graph.neighbours.size()));
  }
  return graph;
}

}  // namespace stillpoint
