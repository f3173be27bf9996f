// The elimination tree of a symmetric matrix: when a node is eliminated, what its column of L holds on to is held by
// its parent too, the first of these rows (Liu 1990). It says what depends on what, and how long the columns are.
#pragma once

#include <vector>

#include "algebra/pivot_pairs.h"

namespace stillpoint {

struct EliminationTree {
  std::vector<Index> node;    ///< of the graph, in the order of elimination; children stand before their parents, each
                              ///< subtree is a range of the order
  std::vector<Index> place;   ///< of each node of the graph in that order
  std::vector<Index> parent;  ///< of each place; −1 for a root
  std::vector<std::int64_t> count;  ///< unknowns in the columns of L at each place, those of the place itself included
};

/// An order of elimination that keeps L sparse: approximate minimum degree (Amestoy, Davis & Duff 1996). It says which
/// node comes first, second, … Throws std::bad_alloc.
std::vector<Index> minimum_degree_order(const PatternGraph& graph);

/// The tree for that order, found in a time nearly proportional to the edges of the graph. Throws std::bad_alloc.
EliminationTree find_elimination_tree(const NodeGraph& graph);

/// The tree for a given order of nodes with one unknown each.
EliminationTree find_elimination_tree(const PatternGraph& graph, const std::vector<Index>& order);

/// A forest in postorder: visits[k] is visited after its children and all of their descendants, at once.
/// `parent` is −1 for roots; siblings come in ascending order. No recursion: trees may be millions of levels deep.
std::vector<Index> postorder(const std::vector<Index>& parent);

}  // namespace stillpoint
