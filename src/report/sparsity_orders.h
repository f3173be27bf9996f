// The pattern of a matrix as a graph, and orders in which to eliminate its rows.
#pragma once

#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// The pattern of A + Aᵀ without its diagonal: what each row is coupled with, ascending.
struct PatternGraph {
  std::vector<Index> starts, neighbours;

  Index size() const { return static_cast<Index>(starts.size()) - 1; }
};

/// Entries that are exactly zero are left out. Throws std::length_error beyond 32 bits.
PatternGraph pattern_graph(const SparseMatrix& A);

/// Orders say which row comes first, second, …
std::vector<Index> natural_order(const PatternGraph& graph);
/// Approximate minimum degree (Amestoy, Davis & Duff 1996).
std::vector<Index> minimum_degree_order(const PatternGraph& graph);
/// METIS (Karypis & Kumar 1998). Not for several threads at a time: it draws its numbers with rand(), which it seeds.
/// (By value: it wants pointers to what is not const.)
std::vector<Index> nested_dissection_order(PatternGraph graph);

}  // namespace stillpoint
