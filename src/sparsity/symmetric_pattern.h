// Patterns of symmetric matrices.
#pragma once

#include "algebra/ordering/pattern_graph.h"

namespace stillpoint {

/// Returns the pattern of A + Aᵀ with both triangles and positive values. Entries that are exactly zero are left out.
SparseMatrix symmetric_pattern(const SparseMatrix& A);

/// Returns such a pattern as a graph: the neighbours of each row, in ascending order.
PatternGraph pattern_graph(const SparseMatrix& symmetric);

}  // namespace stillpoint
