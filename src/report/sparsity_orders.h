// The pattern of a matrix as a graph, and orders in which to eliminate its rows.
#pragma once

#include <vector>

#include "algebra/pattern_graph.h"

namespace stillpoint {

/// The pattern of A + Aᵀ without its diagonal: what each row is coupled with, ascending. Entries that are exactly zero
/// are left out. Throws std::length_error beyond 32 bits.
PatternGraph pattern_graph(const SparseMatrix& A);

/// Orders say which row comes first, second, … (One more is minimum_degree_order, algebra/elimination_tree.h.)
std::vector<Index> natural_order(const PatternGraph& graph);
/// METIS (Karypis & Kumar 1998). Not for several threads at a time: it draws its numbers with rand(), which it seeds.
/// (By value: it wants pointers to what is not const.)
std::vector<Index> nested_dissection_order(PatternGraph graph);

}  // namespace stillpoint
