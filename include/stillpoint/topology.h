// Topology of a multibody system: connected parts, a spanning tree, independent kinematic loops. References: [Mufti
// 1983], [Wittenburg 1977]. The parts are found by union–find, the tree by a breadth-first search.
//
// The graph has the ground as node 0 and every block (body, point, scalar) b as node b + 1. Its edges are the joints:
// constraints between places, such as a hinge or a rod. A joint with a single place (a point on a given curve) connects
// it to the ground; a joint with more than two places connects the first one with each of the others.
//
// Constraints between angles or coordinates (`angle`, `travel`, `coupling`, `prescribed`) are relations. They are no
// edges: a gear closes no loop of bodies. They do connect what they relate, so they count for the parts. Only a
// relation that merely measures, because no other constraint uses its scalar, connects nothing.
//
//   loops = joints − nodes + trees                                             ([Mufti 1983] §4: n* cut hinges)
//   count = coordinates − equations                                            (Grübler; ranks are ignored)
//
// Every tree is rooted at the ground or, where joints do not reach the ground, at its first block. The labels are
// regular ([Mufti 1983] §2): leaves are removed round by round and have the highest labels, the ground has 0. Hence the
// label of a node is greater than its parent's, and the incidence matrix of the tree, without the row of the root, is
// triangular.
//
// Time and memory grow in proportion to the model; loops are listed one at a time, on demand.
#pragma once

#include "stillpoint/model.h"

namespace stillpoint {

struct Topology {
  static constexpr Index ground_node = 0;
  static constexpr Index node_of(Index block) { return block + 1; }

  /// A connected part: blocks that constraints, beams and flexible bodies connect. Two mechanisms that share nothing
  /// but the ground are two parts.
  struct Part {
    bool grounded = false;        ///< a constraint connects it to the ground
    bool held_by_forces = false;  ///< no constraint does, but springs or bushings do, perhaps by way of other parts
    Index first_block = 0;
    Index bodies = 0, points = 0, scalars = 0;
    Index coordinates = 0, equations = 0;

    Index count() const { return coordinates - equations; }
  };

  /// An edge: the element, and the nodes of its places. If a = b, it joins a body, or the ground, with itself.
  struct Joint {
    Index array = 0, element = 0;
    Index a = 0, b = 0;
  };

  std::vector<Part> parts;         ///< grounded parts first, then in the order of their first block
  std::vector<Index> part;         ///< part of each block
  std::vector<Joint> joints;       ///< array by array, in the order of their elements
  std::vector<Index> parent;       ///< parent of each node; `nothing` for a root
  std::vector<Index> joint_above;  ///< joint of each node to its parent; `nothing` for a root
  std::vector<Index> label;        ///< label of each node
  std::vector<Index> node;         ///< node of each label
  std::vector<Index> cut_joints;   ///< joints outside of the trees: each closes one loop
  Index trees = 1;
  Index coordinates = 0, equations = 0;  ///< of the whole model

  Index loops() const { return static_cast<Index>(cut_joints.size()); }
  Index count() const { return coordinates - equations; }
};

Topology find_topology(const Model& model);

/// The nodes of the loop that cut joint k of `cut_joints` closes: from one side of the joint up the tree and down again
/// to its other side. The list has one node where a joint joins something with itself.
std::vector<Index> loop_nodes(const Topology& topology, Index k);

/// The joints of the same loop: those of the tree in this order, then the cut joint.
std::vector<Index> loop_joints(const Topology& topology, Index k);

/// "ground", or the name of the block.
std::string node_name(const Model& model, Index node);

std::string joint_name(const Model& model, const Topology::Joint& joint);

}  // namespace stillpoint
