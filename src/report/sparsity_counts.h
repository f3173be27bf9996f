// How large the factor of a matrix becomes, from its pattern alone: A + Aᵀ = L Lᵀ (or L D Lᵀ) without cancellation.
#pragma once

#include "report/sparsity_orders.h"
#include "stillpoint/sparsity.h"

namespace stillpoint {

/// What an order makes of a pattern. Rows of L are counted by place; the order is one of children before parents.
struct FillPattern {
  std::vector<Index> row;    ///< of the matrix, at each place
  std::vector<Index> place;  ///< of each row of the matrix
  std::vector<Index> parent;  ///< of each place: the first row of L below the diagonal in its column; −1: there is none
};

FillPattern find_fill(const PatternGraph& graph, const std::vector<Index>& order);

/// Entries in each column of L, the diagonal included, in a time that hardly depends on how many they are (Gilbert, Ng
/// & Peyton 1994).
std::vector<Index> count_columns(const PatternGraph& graph, const FillPattern& fill);

FactorCount count_factor(const PatternGraph& graph, const std::vector<Index>& order);

/// Calls visit(i, j) for every entry of L below the diagonal, row by row. It takes as many steps as there are entries,
/// but no memory for them: a row of L is the part of the tree between the entries of A in that row and its diagonal.
template <class Visit>
void for_factor_entries(const PatternGraph& graph, const FillPattern& fill, const Visit& visit) {
  std::vector<Index> seen_by(fill.row.size(), -1);
  for (Index i = 0; i < graph.size(); ++i) {
    seen_by[i] = i;
    const Index row = fill.row[i];
    for (Index e = graph.starts[row]; e < graph.starts[row + 1]; ++e) {
      for (Index j = fill.place[graph.neighbours[e]]; j < i && seen_by[j] != i; j = fill.parent[j]) {
        seen_by[j] = i;
        visit(i, j);
      }
    }
  }
}

}  // namespace stillpoint
