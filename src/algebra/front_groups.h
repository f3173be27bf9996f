// Which nodes of the elimination tree are eliminated in one dense front.
#pragma once

#include <vector>

#include "algebra/elimination_tree.h"

namespace stillpoint {

struct FrontGroups {
  std::vector<Index> front;   ///< of each place in the elimination tree
  std::vector<Index> parent;  ///< of each front; −1 for a root. In no order
};

/// A node joins its parent's front when both columns of L look alike (a supernode), and also when joining stores few
/// zeros: small dense steps cost less than very many tiny ones (Ashcraft & Grimes 1989).
///
/// A front whose children would leave far more behind than it holds gets fronts in between, without unknowns of their
/// own, that add up some children at a time. So memory stays within a small factor of the largest front and its
/// ancestors, even where a million nodes hang on one.
FrontGroups group_into_fronts(const EliminationTree& tree, const NodeGraph& graph);

}  // namespace stillpoint
