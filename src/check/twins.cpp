// Constraints that are stated twice.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "check/steps.h"

namespace stillpoint::checks {

namespace {

/// A place of a joint: its block and its pose there.
struct Site {
  Index block = on_ground;
  std::array<double, 7> where{};  ///< position, and in the last four entries the orientation where it matters

  auto operator<=>(const Site&) const = default;
};

Site site(const Model& model, FieldKind kind, Index reference) {
  if (is_in_space(kind)) {
    const space::Marker& m = model.space_markers()[at(reference)];
    const Rotation<double> R = kind == FieldKind::space_position ? Rotation<double>{} : m.rotation;
    if (kind == FieldKind::space_orientation) return {m.block, {0, 0, 0, R.w, R.x, R.y, R.z}};
    return {m.block, {m.position.x, m.position.y, m.position.z, R.w, R.x, R.y, R.z}};
  }
  if (kind == FieldKind::coordinate) return {reference, {}};  // a coordinate is not on a block
  const Marker& m = model.markers()[at(reference)];
  const double angle = kind == FieldKind::position ? 0 : m.angle;
  if (kind == FieldKind::angle) return {m.block, {0, 0, 0, angle}};
  return {m.block, {m.position.x, m.position.y, 0, angle}};
}

/// The places of an element; two elements that differ only in the order of their ends have the same places.
std::vector<Site> sites(const CheckedModel& checked, ElementId id) {
  std::vector<Site> all;
  for (const Field& field : checked.elements(id.array).info().fields) {
    if (!is_reference(field.kind)) continue;
    const FieldValue value = checked.value(id, field);
    const std::size_t first = all.size();
    for (std::size_t k = 0; k < value.count; ++k) {
      if (value.references[k] != nothing) all.push_back(site(checked.model, field.kind, value.references[k]));
    }
    std::sort(all.begin() + static_cast<std::ptrdiff_t>(first), all.end());
  }
  return all;
}

/// Pairs of one type with the same places. The candidates are sorted such that equal ones are adjacent.
struct Twins {
  Index count = 0;
  ElementId one, other;

  void compare(const CheckedModel& checked, ElementId a, ElementId b) {
    if (a.array != b.array || a.element == b.element || sites(checked, a) != sites(checked, b)) return;
    if (count++ == 0)
      std::tie(one, other) = std::minmax(a, b, [](ElementId x, ElementId y) { return x.element < y.element; });
  }
};

// Of two joints between the same bodies at least one is a cut joint: the other one is a joint of the tree, or cut as
// well.
void find_twin_joints(const CheckedModel& checked, Twins& twins) {
  const Topology& topology = checked.topology;
  using Key = std::tuple<Index, Index, Index, Index>;  // the two nodes, the type, the joint
  std::vector<Key> cut;
  cut.reserve(topology.cut_joints.size());
  for (const Index j : topology.cut_joints) {
    const Topology::Joint& joint = topology.joints[at(j)];
    cut.emplace_back(std::min(joint.a, joint.b), std::max(joint.a, joint.b), joint.array, j);
    for (const auto& [child, above] : {std::pair(joint.a, joint.b), std::pair(joint.b, joint.a)}) {
      if (topology.parent[at(child)] != above || child == above) continue;
      const Topology::Joint& of_tree = topology.joints[at(topology.joint_above[at(child)])];
      twins.compare(checked, {of_tree.array, of_tree.element}, {joint.array, joint.element});
    }
  }
  std::sort(cut.begin(), cut.end());
  for (std::size_t k = 1; k < cut.size(); ++k) {
    const auto& [a, b, array, j] = cut[k];
    const auto& [a_before, b_before, array_before, j_before] = cut[k - 1];
    if (a != a_before || b != b_before || array != array_before) continue;
    const Topology::Joint &joint = topology.joints[at(j)], &before = topology.joints[at(j_before)];
    twins.compare(checked, {before.array, before.element}, {joint.array, joint.element});
  }
}

// Couplings, angles and other relations are no joints of the topology.
void find_twin_relations(const CheckedModel& checked, Twins& twins) {
  for_each_array(checked, [&](Index array, const ElementArrayBase& elements, const ElementInfo&) {
    if (elements.rows() == 0 || elements.size() < 2) return;
    bool relates = false;
    for (int k = 0; k < elements.places(); ++k) relates = relates || elements.wrench_kind(k) == WrenchKind::single;
    if (!relates) return;
    std::vector<std::pair<std::vector<Site>, Index>> all;
    for (Index e = 0; e < elements.size(); ++e) all.emplace_back(sites(checked, {array, e}), e);
    std::sort(all.begin(), all.end());
    for (std::size_t k = 1; k < all.size(); ++k) {
      if (all[k].first == all[k - 1].first) twins.compare(checked, {array, all[k - 1].second}, {array, all[k].second});
    }
  });
}

}  // namespace

void warn_of_twins(const CheckedModel& checked, CheckReport& report) {
  Twins twins;
  find_twin_joints(checked, twins);
  find_twin_relations(checked, twins);
  if (twins.count == 0) return;
  report.warnings.push_back(fmt::format(
      "{} and {} constrain the same places{}; the second repeats or contradicts the first, so remove one of them",
      checked.described(twins.one), checked.described(twins.other), and_more(twins.count - 1)));
}

}  // namespace stillpoint::checks
