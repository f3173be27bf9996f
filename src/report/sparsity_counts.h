// How large the factor of a matrix becomes, from its pattern alone: A + Aᵀ = L Lᵀ (or L D Lᵀ) without cancellation.
#pragma once

#include "algebra/elimination_tree.h"
#include "report/sparsity_orders.h"
#include "stillpoint/sparsity.h"

namespace stillpoint {

FactorCount count_factor(const PatternGraph& graph, const std::vector<Index>& order);

/// Calls visit(i, j) for every entry of L below the diagonal, row by row. It takes as many steps as there are entries,
/// but no memory for them: a row of L is the part of the tree between the entries of A in that row and its diagonal.
template <class Visit>
void for_factor_entries(const PatternGraph& graph, const EliminationTree& tree, const Visit& visit) {
  std::vector<Index> seen_by(tree.node.size(), -1);
  for (Index i = 0; i < graph.size(); ++i) {
    seen_by[i] = i;
    const Index row = tree.node[i];
    for (Index e = graph.starts[row]; e < graph.starts[row + 1]; ++e) {
      for (Index j = tree.place[graph.neighbours[e]]; j < i && seen_by[j] != i; j = tree.parent[j]) {
        seen_by[j] = i;
        visit(i, j);
      }
    }
  }
}

}  // namespace stillpoint
