// How the bodies of a model hang together: connected parts, a spanning tree, independent loops.
//
// The graph has the ground as node 0 and every block (body, point, scalar) b as node b + 1. Its edges are the joints:
// constraints between places, such as a hinge or a rod. A joint that knows one place only (a point on a given curve)
// holds it to the ground; one with more than two leads from its first place to each of the others.
//
// Constraints that know angles or coordinates (`angle`, `travel`, `coupling`, `prescribed`) are relations. They are no
// edges: a gear closes no loop of bodies. But they do tie together what they relate, so they count for the parts. Only
// a relation that does nothing but measure, because no other constraint takes up its scalar, ties nothing.
//
//   loops = joints − nodes + trees                                             (paper 002 §4: n* cut hinges)
//   count = coordinates − equations                                            (Grübler; it knows nothing of ranks)
//
// Every tree is rooted at the ground or, where joints do not reach the ground, at its first block. The labels are
// regular (paper 002 §2): what is peeled off first, the leaves, has the highest, the ground has 0. Hence a node's label
// is greater than its parent's, and the incidence matrix of the tree, without the row of the root, is triangular.
//
// Time and memory grow in proportion to the model; loops are walked one at a time, on demand.
#pragma once

#include "stillpoint/model.h"

namespace stillpoint {

struct Topology {
  static constexpr Index ground_node = 0;
  static constexpr Index node_of(Index block) { return block + 1; }

  /// Blocks that constraints, beams and flexible bodies tie together. Two mechanisms that share nothing but the ground
  /// are two parts.
  struct Part {
    bool grounded = false;        ///< a constraint ties it to the ground
    bool held_by_forces = false;  ///< none does, but springs or bushings do, perhaps by way of other parts
    Index first_block = 0;
    Index bodies = 0, points = 0, scalars = 0;
    Index coordinates = 0, equations = 0;

    Index count() const { return coordinates - equations; }
  };

  /// An edge: which element, and the nodes of its places. a = b: it joins a body, or the ground, with itself.
  struct Joint {
    Index array = 0, element = 0;
    Index a = 0, b = 0;
  };

  std::vector<Part> parts;         ///< those on the ground first, then by their first block
  std::vector<Index> part;         ///< of each block
  std::vector<Joint> joints;       ///< array by array, in the order of their elements
  std::vector<Index> parent;       ///< of each node; `nothing` for a root
  std::vector<Index> joint_above;  ///< of each node: the joint to its parent; `nothing` for a root
  std::vector<Index> label;        ///< of each node
  std::vector<Index> node;         ///< of each label
  std::vector<Index> cut_joints;   ///< the joints outside of the trees: each closes one loop
  Index trees = 1;
  Index coordinates = 0, equations = 0;  ///< of the whole model

  Index loops() const { return static_cast<Index>(cut_joints.size()); }
  Index count() const { return coordinates - equations; }
};

Topology find_topology(const Model& model);

/// The nodes around the loop that cut joint k of `cut_joints` closes: from one side of the joint up the tree and down
/// again to its other side. One node where a joint joins something with itself.
std::vector<Index> loop_nodes(const Topology& topology, Index k);

/// The joints of the same loop: those of the tree in this order, then the cut one.
std::vector<Index> loop_joints(const Topology& topology, Index k);

/// "ground", or what the block is called.
std::string node_name(const Model& model, Index node);

std::string joint_name(const Model& model, const Topology::Joint& joint);

}  // namespace stillpoint
