#include "stillpoint/topology.h"

#include <algorithm>

#include "base/at.h"
#include "base/disjoint_sets.h"

namespace stillpoint {

namespace {

constexpr Index ground_node = Topology::ground_node;

/// Sets of connected blocks (union–find), and which of the sets are connected to the ground.
class Ties {
 public:
  explicit Ties(std::size_t blocks) : sets_(blocks), grounded_(blocks, 0) {}

  Index find(Index block) { return sets_.find(block); }
  void tie(Index a, Index b) {
    const bool is_one_grounded = is_grounded(a) || is_grounded(b);
    sets_.tie(a, b);
    if (is_one_grounded) tie_to_ground(a);
  }
  void tie_to_ground(Index block) { grounded_[at(find(block))] = 1; }
  bool is_grounded(Index block) { return grounded_[at(find(block))] != 0; }

 private:
  DisjointSets<Index> sets_;
  std::vector<char> grounded_;
};

/// The places of an element type in two groups: sites are positions, frames and orientations; singles are angles and
/// coordinates.
struct PlaceKinds {
  std::vector<int> sites, singles;
  bool single_may_be_ground = false;  ///< an angle may refer to the ground; a missing coordinate does not
};

PlaceKinds kinds_of(const ElementArrayBase& elements) {
  PlaceKinds kinds;
  for (int k = 0; k < elements.places(); ++k) {
    (elements.wrench_kind(k) == WrenchKind::single ? kinds.singles : kinds.sites).push_back(k);
  }
  for (const Field& field : elements.info().fields) {
    kinds.single_may_be_ground = kinds.single_may_be_ground || field.kind == FieldKind::angle;
  }
  return kinds;
}

/// The blocks that one element is attached to.
struct Attachments {
  std::vector<Index> sites, singles;  ///< blocks, without repetition
  bool ground_site = false, ground_angle = false;
};

class Finder {
 public:
  explicit Finder(const Model& model)
      : model_(model),
        guess_(model.initial_state()),
        context_(model.context(guess_)),
        measured_(model.blocks().size(), 0),
        related_(model.blocks().size(), 0) {}

  Topology found() {
    topology_.coordinates = model_.coordinates();
    topology_.equations = model_.constraints();
    list_joints();
    look_at_scalars();
    Ties ties(model_.blocks().size());
    tie_constraints(ties, related_);
    list_parts(ties);
    count_equations();
    find_what_springs_hold(ties);
    grow_trees();
    label_nodes();
    return std::move(topology_);
  }

 private:
  bool is_scalar(Index block) const { return model_.blocks()[at(block)].kind == BlockKind::scalar; }

  /// A constraint between places; elements inside a flexible body join nothing.
  static bool is_constraint(const ElementArrayBase& elements) {
    return (elements.laws() & Law::residual) != 0 && !elements.info().is_internal();
  }

  /// A beam or a flexible body: elastic, and with inertia.
  static bool is_structure(const ElementArrayBase& elements) {
    const unsigned both = Law::energy | Law::inertia;
    return (elements.laws() & both) == both && !elements.info().is_internal();
  }

  /// A spring of any kind: an energy that no input scales.
  static bool is_elastic(const ElementArrayBase& elements) {
    const auto& fields = elements.info().fields;
    if (elements.info().is_internal()) return false;
    return (elements.laws() & Law::energy) != 0 && std::none_of(fields.begin(), fields.end(), [](const Field& field) {
             return field.kind == FieldKind::input;
           });
  }

  /// The attachments of an element; valid until the next call.
  const Attachments& attachments(const ElementArrayBase& elements, const PlaceKinds& kinds, Index element) {
    const auto add_once = [](std::vector<Index>& blocks, Index block) {
      if (std::find(blocks.begin(), blocks.end(), block) == blocks.end()) blocks.push_back(block);
    };
    attachments_.sites.clear();
    attachments_.singles.clear();
    attachments_.ground_site = attachments_.ground_angle = false;
    for (const int k : kinds.sites) {
      const Index block = elements.block(context_, element, k);
      if (block == on_ground) attachments_.ground_site = true;
      else add_once(attachments_.sites, block);
    }
    for (const int k : kinds.singles) {
      const Index block = elements.block(context_, element, k);
      if (block != on_ground) add_once(attachments_.singles, block);
      else if (kinds.single_may_be_ground) attachments_.ground_angle = true;
    }
    return attachments_;
  }

  /// Calls f(array, elements, kinds) for all element types with a property.
  template <class Property, class F>
  void for_each_array(Property has, const F& f) {
    for (std::size_t k = 0; k < model_.arrays().size(); ++k) {
      const ElementArrayBase& elements = *model_.arrays()[k].elements;
      if (has(elements)) f(static_cast<Index>(k), elements, kinds_of(elements));
    }
  }

  template <class F>
  void for_each_relation(const F& f) {
    for_each_array(is_constraint, [&](Index, const ElementArrayBase& elements, const PlaceKinds& kinds) {
      if (kinds.singles.empty()) return;
      for (Index e = 0; e < elements.size(); ++e) f(attachments(elements, kinds, e), elements.rows());
    });
  }

  void list_joints() {
    for_each_array(is_constraint, [&](Index array, const ElementArrayBase& elements, const PlaceKinds& kinds) {
      if (!kinds.singles.empty()) return;
      for (Index e = 0; e < elements.size(); ++e) {
        const auto node = [&](std::size_t k) {
          return k < kinds.sites.size() ? Topology::node_of(elements.block(context_, e, kinds.sites[k])) : ground_node;
        };
        const std::size_t ends = std::max<std::size_t>(2, kinds.sites.size());
        for (std::size_t k = 1; k < ends; ++k) topology_.joints.push_back({array, e, node(0), node(k)});
      }
    });
  }

  // Finds the scalars that are defined between places, and counts the constraints on each of them.
  void look_at_scalars() {
    for_each_relation([&](const Attachments& attachments, int) {
      const bool measures = !attachments.sites.empty() || attachments.ground_site;
      for (const Index block : attachments.singles) {
        if (!is_scalar(block)) continue;
        ++related_[at(block)];
        if (measures) measured_[at(block)] = 1;
      }
    });
  }

  /// Tells whether a relation merely measures: no other constraint uses its scalar.
  bool only_measures(const Attachments& attachments, const std::vector<Index>& uses) const {
    return std::any_of(attachments.singles.begin(), attachments.singles.end(),
                       [&](Index block) { return measured_[at(block)] && uses[at(block)] == 1; });
  }

  /// Tells whether the angles and coordinates of an element are relative to the ground. A measured scalar is relative
  /// to the places that define it; all others, and the coordinates of bodies, are relative to the ground.
  bool counts_from_ground(const Attachments& attachments) const {
    return std::none_of(attachments.singles.begin(), attachments.singles.end(),
                        [&](Index block) { return measured_[at(block)]; });
  }

  static void tie_all(const Attachments& attachments, bool to_ground, Ties& ties) {
    Index first = nothing;
    for (const auto* const blocks : {&attachments.singles, &attachments.sites}) {
      for (const Index block : *blocks) {
        if (first == nothing) first = block;
        else ties.tie(first, block);
      }
    }
    if (first != nothing && to_ground) ties.tie_to_ground(first);
  }

  void tie_relation(const Attachments& attachments, const std::vector<Index>& uses, Ties& ties) const {
    if (only_measures(attachments, uses)) {  // the scalars belong to the first place that defines them
      Attachments part = attachments;
      if (part.sites.size() > 1) part.sites.resize(1);
      tie_all(part, part.sites.empty(), ties);
      return;
    }
    const bool one_coordinate = attachments.singles.size() == 1 && attachments.sites.empty();
    tie_all(attachments,
            attachments.ground_site || attachments.ground_angle || (one_coordinate && counts_from_ground(attachments)),
            ties);
  }

  void tie_constraints(Ties& ties, const std::vector<Index>& uses) {
    for (std::size_t b = 0; b < model_.blocks().size(); ++b) {
      const Block& block = model_.blocks()[b];
      if (block.kind == BlockKind::node) ties.tie(static_cast<Index>(b), block.carrier);
    }
    for (const Topology::Joint& joint : topology_.joints) {
      if (joint.a != ground_node && joint.b != ground_node) ties.tie(joint.a - 1, joint.b - 1);
      else if (joint.a != joint.b) ties.tie_to_ground(std::max(joint.a, joint.b) - 1);
    }
    for_each_relation([&](const Attachments& attachments, int) { tie_relation(attachments, uses, ties); });
    for_each_array(is_structure, [&](Index, const ElementArrayBase& elements, const PlaceKinds& kinds) {
      for (Index e = 0; e < elements.size(); ++e) {
        const Attachments& held = attachments(elements, kinds, e);
        tie_all(held, held.ground_site, ties);
      }
    });
  }

  void list_parts(Ties& ties) {
    const auto blocks = static_cast<Index>(model_.blocks().size());
    topology_.part.assign(at(blocks), nothing);
    for (const bool grounded : {true, false}) {
      for (Index b = 0; b < blocks; ++b) {
        if (ties.is_grounded(b) != grounded) continue;
        const Index first = ties.find(b);  // the first block of its set
        if (first == b) {
          topology_.part[at(b)] = static_cast<Index>(topology_.parts.size());
          topology_.parts.push_back({.grounded = grounded, .first_block = b});
        }
        topology_.part[at(b)] = topology_.part[at(first)];
        Topology::Part& part = topology_.parts[at(topology_.part[at(b)])];
        const BlockKind kind = model_.blocks()[at(b)].kind;
        part.coordinates += coordinates_of(kind);
        if (kind == BlockKind::scalar) ++part.scalars;
        if (is_point(kind)) ++part.points;
        if (is_body(kind)) ++part.bodies;
      }
    }
  }

  // Equations between places on the ground belong to no part.
  void count_equations() {
    const auto count = [&](Index block, int rows) { topology_.parts[at(topology_.part[at(block)])].equations += rows; };
    Index array = nothing, counted = nothing;  // a joint with several edges counts once
    for (const Topology::Joint& joint : topology_.joints) {
      if (joint.array != array) counted = nothing;
      array = joint.array;
      const Index node = std::max(joint.a, joint.b);
      if (node == ground_node || joint.element == counted) continue;
      counted = joint.element;
      count(node - 1, model_.arrays()[at(array)].elements->rows());
    }
    for (const ModelArray& of_type : model_.arrays()) {
      const ElementArrayBase& elements = *of_type.elements;
      if (!elements.info().is_internal() || elements.rows() == 0) continue;
      for (Index e = 0; e < elements.size(); ++e) count(elements.block(context_, e, 0), elements.rows());
    }
    for_each_relation([&](const Attachments& attachments, int rows) {
      if (!attachments.singles.empty()) count(attachments.singles.front(), rows);
      else if (!attachments.sites.empty()) count(attachments.sites.front(), rows);
    });
  }

  // Connects, by springs, the parts that constraints leave apart. A spring on a measured scalar acts between the places
  // that define the scalar.
  void find_what_springs_hold(Ties& ties) {
    std::vector<Topology::Part>& parts = topology_.parts;
    if (std::all_of(parts.begin(), parts.end(), [](const Topology::Part& part) { return part.grounded; })) return;

    std::vector<Index> uses = related_;
    const auto for_each_spring = [&](const auto& f) {
      for_each_array(is_elastic, [&](Index, const ElementArrayBase& elements, const PlaceKinds& kinds) {
        const bool one_place = kinds.sites.size() + kinds.singles.size() == 1;
        for (Index e = 0; e < elements.size(); ++e) f(attachments(elements, kinds, e), one_place);
      });
    };
    for_each_spring([&](const Attachments& attachments, bool) {
      for (const Index block : attachments.singles) ++uses[at(block)];
    });
    tie_constraints(ties, uses);
    for_each_spring([&](const Attachments& attachments, bool one_place) {
      const bool against_ground = attachments.ground_site || attachments.ground_angle || one_place;
      tie_all(attachments, against_ground && counts_from_ground(attachments), ties);
    });
    for (Topology::Part& part : parts) part.held_by_forces = !part.grounded && ties.is_grounded(part.first_block);
  }

  // Breadth-first search along the joints as they are listed at each node.
  void grow_trees() {
    const std::vector<Topology::Joint>& joints = topology_.joints;
    const std::size_t nodes = model_.blocks().size() + 1;
    std::vector<Index> first(nodes + 1, 0);  // index of the first joint of each node
    for (const Topology::Joint& joint : joints) {
      if (joint.a == joint.b) continue;
      ++first[at(joint.a) + 1];
      ++first[at(joint.b) + 1];
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<Index> joints_at(at(first.back())), next(first.begin(), first.end() - 1);
    for (std::size_t j = 0; j < joints.size(); ++j) {
      if (joints[j].a == joints[j].b) continue;
      for (const Index end : {joints[j].a, joints[j].b}) joints_at[at(next[at(end)]++)] = static_cast<Index>(j);
    }

    topology_.parent.assign(nodes, nothing);
    topology_.joint_above.assign(nodes, nothing);
    topology_.trees = 0;
    std::vector<char> reached(nodes, 0), in_tree(joints.size(), 0);
    order_.reserve(nodes);
    for (std::size_t root = 0; root < nodes; ++root) {
      if (reached[root]) continue;
      ++topology_.trees;
      reached[root] = 1;
      order_.push_back(static_cast<Index>(root));
      for (std::size_t k = order_.size() - 1; k < order_.size(); ++k) {
        const Index here = order_[k];
        for (Index i = first[at(here)]; i < first[at(here) + 1]; ++i) {
          const Index j = joints_at[at(i)];
          const Index there = joints[at(j)].a + joints[at(j)].b - here;
          if (reached[at(there)]) continue;
          reached[at(there)] = 1;
          in_tree[at(j)] = 1;
          topology_.parent[at(there)] = here;
          topology_.joint_above[at(there)] = j;
          order_.push_back(there);
        }
      }
    }
    for (std::size_t j = 0; j < joints.size(); ++j) {
      if (!in_tree[j]) topology_.cut_joints.push_back(static_cast<Index>(j));
    }
  }

  // Removing all leaves repeatedly removes each node in the round of its height above its farthest leaf. The roots of
  // all trees count as children of the ground.
  void label_nodes() {
    const std::size_t nodes = order_.size();
    std::vector<Index> height(nodes, 0);
    for (std::size_t k = nodes; k-- > 1;) {
      const Index node = order_[k];
      const Index above = topology_.parent[at(node)];
      Index& reached = height[at(above == nothing ? ground_node : above)];
      reached = std::max(reached, height[at(node)] + 1);
    }
    const Index highest = height[ground_node];
    std::vector<Index> next(at(highest) + 2, 0);  // the next label in each round, starting with the last round
    for (const Index h : height) ++next[at(highest - h) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    topology_.label.resize(nodes);
    topology_.node.resize(nodes);
    for (const Index node : order_) {
      const Index label = next[at(highest - height[at(node)])]++;
      topology_.label[at(node)] = label;
      topology_.node[at(label)] = node;
    }
  }

  const Model& model_;
  const State guess_;
  const Context context_;
  Topology topology_;
  std::vector<char> measured_;  // for each block: a scalar that a relation defines between places
  std::vector<Index> related_;  // number of relations that use the block
  std::vector<Index> order_;    // nodes, each after its parent
  Attachments attachments_;
};

/// The nodes of a loop in two arms that end at their common node.
struct Arms {
  std::vector<Index> from_a, from_b;
};

// Of two nodes of a tree the one with the greater label is not an ancestor of the other.
Arms arms_of(const Topology& topology, Index k) {
  const Topology::Joint& joint = topology.joints[at(topology.cut_joints[at(k)])];
  Arms arms{{joint.a}, {joint.b}};
  while (arms.from_a.back() != arms.from_b.back()) {
    const bool a_first = topology.label[at(arms.from_a.back())] > topology.label[at(arms.from_b.back())];
    std::vector<Index>& arm = a_first ? arms.from_a : arms.from_b;
    arm.push_back(topology.parent[at(arm.back())]);
  }
  return arms;
}

}  // namespace

Topology find_topology(const Model& model) { return Finder(model).found(); }

std::vector<Index> loop_nodes(const Topology& topology, Index k) {
  auto [nodes, back] = arms_of(topology, k);
  back.pop_back();
  nodes.insert(nodes.end(), back.rbegin(), back.rend());
  return nodes;
}

std::vector<Index> loop_joints(const Topology& topology, Index k) {
  auto [nodes, back] = arms_of(topology, k);
  nodes.pop_back();
  back.pop_back();
  nodes.insert(nodes.end(), back.rbegin(),
               back.rend());  // each node but the common one stands for the joint to its parent
  for (Index& node : nodes) node = topology.joint_above[at(node)];
  nodes.push_back(topology.cut_joints[at(k)]);
  return nodes;
}

std::string node_name(const Model& model, Index node) {
  return node == ground_node ? "ground" : model.block_name(node - 1);
}

std::string joint_name(const Model& model, const Topology::Joint& joint) {
  return model.element_name(static_cast<std::size_t>(joint.array), joint.element);
}

}  // namespace stillpoint
