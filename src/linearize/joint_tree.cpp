#include "linearize/joint_tree.h"

#include <array>
#include <iterator>

#include "base/at.h"
#include "stillpoint/topology.h"

namespace stillpoint {

namespace {

class Carrier {
 public:
  Carrier(const Model& model, const State& state) : model_(model), state_(state) {}

  /// Adds the increments of the child as if it were fixed to its parent. A point translates its child without rotating
  /// it.
  void carry(const Block& parent, const Block& child) {
    const Index dimensions = in_space(child.kind) ? 3 : 2;
    for (Index i = 0; i < dimensions; ++i) add(child.first + i, parent.first + i, 1);
    if (!is_body(parent.kind)) return;
    if (in_space(child.kind)) carry_in_space(parent, child);
    else carry_in_plane(parent, child);
  }

  SparseMatrix carried() const {
    SparseMatrix T(model_.coordinates(), model_.coordinates());
    T.setFromTriplets(entries_.begin(), entries_.end());
    return T;
  }

 private:
  void carry_in_plane(const Block& parent, const Block& child) {
    const Index phi = parent.first + 2;
    add(child.first, phi, -(at(child, 1) - at(parent, 1)));
    add(child.first + 1, phi, at(child, 0) - at(parent, 0));
    if (is_body(child.kind)) add(child.first + 2, phi, 1);
  }

  // Increments of both orientations are about the axes of the body.
  void carry_in_space(const Block& parent, const Block& child) {
    const Vec3<double> arm{at(child, 0) - at(parent, 0), at(child, 1) - at(parent, 1), at(child, 2) - at(parent, 2)};
    const auto& orientations = state_.orientations;
    const Rotation<double>& R = orientations[stillpoint::at(parent.orientation)];
    const std::array axes{x_axis(R), y_axis(R), z_axis(R)};
    for (Index k = 0; k < 3; ++k) {
      const Vec3<double>& axis = axes[stillpoint::at(k)];
      const Index turn = parent.first + 3 + k;
      add_vector(child.first, turn, cross(axis, arm));
      if (!is_body(child.kind)) continue;
      add_vector(child.first + 3, turn, turned_back(orientations[stillpoint::at(child.orientation)], axis));
    }
  }

  double at(const Block& block, Index component) const { return state_.q[block.first + component]; }
  void add(Index row, Index column, double value) {
    if (value != 0) entries_.emplace_back(row, column, value);
  }
  void add_vector(Index row, Index column, const Vec3<double>& v) {
    add(row, column, v.x);
    add(row + 1, column, v.y);
    add(row + 2, column, v.z);
  }

  const Model& model_;
  const State& state_;
  std::vector<Eigen::Triplet<double, Index>> entries_;
};

Index turns_of(BlockKind kind) { return kind == BlockKind::body ? 1 : kind == BlockKind::space_body ? 3 : 0; }

/// Tells whether an element joins exactly two places, so that all its equations are between these.
bool joins_two(const std::vector<Topology::Joint>& joints, Index j) {
  const auto same = [&](std::int64_t other) {
    return other >= 0 && other < std::ssize(joints) && joints[at(other)].array == joints[at(j)].array &&
           joints[at(other)].element == joints[at(j)].element;
  };
  return !same(std::int64_t{j} - 1) && !same(std::int64_t{j} + 1);
}

}  // namespace

JointTree joint_tree(const Model& model, const State& state) {
  const Topology topology = find_topology(model);
  JointTree tree;
  std::vector<Index> owner;                            // block of the model for each block of the tree
  std::vector<Index> place(topology.node.size(), -1);  // index of each node in the tree
  Carrier carrier(model, state);
  for (const Index node : topology.node) {
    if (node == Topology::ground_node) continue;
    const Block& block = model.blocks()[at(node - 1)];
    JointTree::Block here{.first = block.first, .size = coordinates_of(block.kind), .turns = turns_of(block.kind)};
    const Index joint = topology.joint_above[at(node)];
    if (joint != nothing && joins_two(topology.joints, joint)) {
      const ModelArray& array = model.arrays()[at(topology.joints[at(joint)].array)];
      here.rows = array.elements->rows();
      here.first_row = array.first_row + topology.joints[at(joint)].element * here.rows;
      const Index above = topology.parent[at(node)];
      here.parent = place[at(above)];
      if (above != Topology::ground_node) carrier.carry(model.blocks()[at(above - 1)], block);
    }
    place[at(node)] = static_cast<Index>(tree.blocks.size());
    tree.blocks.push_back(here);
    owner.push_back(node - 1);
  }
  tree.carried = carrier.carried();
  tree.block_name = [model, owner](Index b) { return model.block_name(owner[at(b)]); };
  return tree;
}

}  // namespace stillpoint
