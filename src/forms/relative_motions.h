// A basis of the constraint null space along a tree of joints (path matrix, [Mufti 1983]): each block moves with its
// parent and relative to it as its joint permits.
//
//   δq_b = T_b δq_parent + δ_b,   J_b δ_b = −(J_b T_b + J_parent) δq_parent                                    (3.5)
//
// T_b is the motion of a block that is fixed to its parent; the bracket is zero for joints that depend only on the
// relative position of the two bodies. Some coordinates of δ_b are free, angles if possible: the relative motions.
// Blocks without a joint of the tree are free in all coordinates. Constraints that close loops or prescribe motion are
// left to be satisfied by a partition of the relative motions.
#pragma once

#include <vector>

#include "forms/scaled_constraints.h"

namespace stillpoint {

struct RelativeMotions {
  struct Motion {
    Index coordinate, block;  ///< δ of this coordinate, of this block of the tree
  };
  std::vector<Motion> motions;
  SparseMatrix R;              ///< n × motions
  std::vector<Index> closing;  ///< independent rows of J that R does not satisfy yet
};

/// R of a chain of k blocks has ∝ k² entries. Throws Error beyond `most_entries`.
RelativeMotions relative_motions(const JointTree& tree, const ScaledConstraints& constraints, const SparseMatrix& G,
                                 std::int64_t most_entries);

}  // namespace stillpoint
