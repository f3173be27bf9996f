// Spy plots of sparsity patterns at reduced resolution.
#pragma once

#include "algebra/ordering/elimination_tree.h"
#include "formats/svg.h"
#include "stillpoint/sparsity.h"

namespace stillpoint {

Spy spy(const SparseMatrix& A);
/// Returns the picture of L, of A + Aᵀ = L Lᵀ, without cancellation. The time is proportional to the number of its
/// entries, which are not stored.
Spy spy_factor(const PatternGraph& graph, const EliminationTree& tree);

/// Draws the pattern in a square.
void add_pattern(Svg& svg, double x, double y, double side, const Spy& spy);

}  // namespace stillpoint
