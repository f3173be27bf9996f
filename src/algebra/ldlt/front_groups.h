// Supernode amalgamation [Ashcraft & Grimes 1989]: which nodes of the elimination tree share one dense front.
#pragma once

#include <vector>

#include "algebra/ordering/elimination_tree.h"

namespace stillpoint {

struct FrontGroups {
  std::vector<Index> front;   ///< front of each place in the elimination tree
  std::vector<Index> parent;  ///< parent of each front, −1 for a root; fronts are in no particular order
};

/// Groups the nodes into fronts. A node joins its parent's front if their columns of L have the same structure (a
/// supernode), and also if merging stores few zeros: small dense operations cost less than many tiny ones.
///
/// Where the children of a front would leave contributions much larger than the front itself, intermediate fronts
/// without unknowns of their own are inserted, which assemble a few children at a time. The memory then stays within a
/// small factor of the largest front and its ancestors, even if a million nodes depend on one.
FrontGroups group_into_fronts(const EliminationTree& tree, const NodeGraph& graph);

}  // namespace stillpoint
