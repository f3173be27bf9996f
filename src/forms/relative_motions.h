// Tangents along a tree of joints: each block moves with its parent, and beside that as its joint lets it.
//
//   δq_b = T_b δq_parent + δ_b,   J_b δ_b = −(J_b T_b + J_parent) δq_parent                                    (T9a)
//
// T_b: the motion of a block that is fixed to its parent; the bracket is zero for joints that only know where one body
// is as seen from the other. Of δ_b some coordinates are free, angles where possible: relative motions. Blocks that no
// joint of the tree holds are free in all. What closes loops, or prescribes motion, is left to be met on top.
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
  std::vector<Index> closing;  ///< rows of J, of the independent ones, that R does not meet yet
};

/// A chain of k blocks has ∝ k² entries. Throws Error beyond `most_entries`.
RelativeMotions relative_motions(const JointTree& tree, const ScaledConstraints& constraints, const SparseMatrix& G,
                                 std::int64_t most_entries);

}  // namespace stillpoint
