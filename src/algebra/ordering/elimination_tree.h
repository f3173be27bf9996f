// Elimination tree of a symmetric matrix [Liu 1990], A = L D Lᵀ without exchange of rows.
//
// The parent of a node is the row of the first entry below the diagonal in its column of L. The tree states which
// eliminations depend on each other, and gives the number of entries in each column of L.
#pragma once

#include <vector>

#include "algebra/ordering/pivot_pairs.h"

namespace stillpoint {

struct EliminationTree {
  std::vector<Index> node;          ///< node of the graph at each position of the elimination order; children precede
                                    ///< their parents, and each subtree is a contiguous range
  std::vector<Index> place;         ///< position of each node of the graph in that order
  std::vector<Index> parent;        ///< parent of each position; −1 for a root
  std::vector<std::int64_t> count;  ///< number of unknowns in the columns of L of each position, its own included
};

/// Returns an elimination order that keeps L sparse: approximate minimum degree (AMD; [Amestoy 1996]).
/// Entry k is the node that is eliminated as number k. Throws std::bad_alloc.
std::vector<Index> minimum_degree_order(const PatternGraph& graph);

/// The same for the unknowns of a bordered matrix, of which the last are multipliers. Each of these stands beside a
/// coordinate that it constrains, and the pivots of the two are the entries of J and Jᵀ that join them: partial
/// pivoting finds them in the same place of the order, and the diagonal entries of multipliers are not needed.
struct PairedOrder {
  std::vector<Index> columns, rows;  ///< at each position
};
PairedOrder paired_minimum_degree_order(const SparseMatrix& pattern, Index multipliers);

/// Builds the tree for the minimum degree order, in a time nearly proportional to the number of edges. Throws
/// std::bad_alloc.
EliminationTree find_elimination_tree(const NodeGraph& graph);

/// Builds the tree for a given order of nodes that have one unknown each.
EliminationTree find_elimination_tree(const PatternGraph& graph, const std::vector<Index>& order);

/// Returns a postorder of a forest: every node follows all of its descendants, which are contiguous. `parent` is −1 for
/// roots; siblings are visited in ascending order. No recursion is used, since trees may be millions of levels deep.
std::vector<Index> postorder(const std::vector<Index>& parent);

}  // namespace stillpoint
