// Constraints that are stated twice.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "check/steps.h"

namespace stillpoint::checks {

namespace {

/// Where one place of a joint is: on which block, and where there.
struct Site {
  Index block = on_ground;
  std::array<double, 7> where{};  ///< position, and in the last four the orientation where it matters

  auto operator<=>(const Site&) const = default;
};

Site site(const Model& model, FieldKind kind, Index reference) {
  if (is_in_space(kind)) {
    const space::Marker& m = model.space_markers()[at(reference)];
    const Rotation<double> R = kind == FieldKind::space_position ? Rotation<double>{} : m.rotation;
    if (kind == FieldKind::space_orientation) return {m.block, {0, 0, 0, R.w, R.x, R.y, R.z}};
    return {m.block, {m.position.x, m.position.y, m.position.z, R.w, R.x, R.y, R.z}};
  }
  if (kind == FieldKind::coordinate) return {reference, {}};  // of its own kind, so it meets no block
  const Marker& m = model.markers()[at(reference)];
  const double angle = kind == FieldKind::position ? 0 : m.angle;
  if (kind == FieldKind::angle) return {m.block, {0, 0, 0, angle}};
  return {m.block, {m.position.x, m.position.y, 0, angle}};
}

/// The places of an element, the same for two elements that differ only in which end comes first.
std::vector<Site> sites(const CheckSubject& subject, ElementId id) {
  std::vector<Site> all;
  for (const Field& field : subject.elements(id.array).info().fields) {
    if (!is_reference(field.kind)) continue;
    const FieldValue value = subject.value(id, field);
    const std::size_t first = all.size();
    for (std::size_t k = 0; k < value.count; ++k) {
      if (value.references[k] != nothing) all.push_back(site(subject.model, field.kind, value.references[k]));
    }
    std::sort(all.begin() + static_cast<std::ptrdiff_t>(first), all.end());
  }
  return all;
}

/// Pairs of one type with the same places, counted over candidates that are sorted so that twins are neighbours.
struct Twins {
  Index count = 0;
  ElementId one, other;

  void compare(const CheckSubject& subject, ElementId a, ElementId b) {
    if (a.array != b.array || a.element == b.element || sites(subject, a) != sites(subject, b)) return;
    if (count++ == 0)
      std::tie(one, other) = std::minmax(a, b, [](ElementId x, ElementId y) { return x.element < y.element; });
  }
};

// Of two joints between the same bodies one is cut: either it lies beside a joint of the tree, or both are cut.
void find_twin_joints(const CheckSubject& subject, Twins& twins) {
  const Topology& topology = subject.topology;
  using Key = std::tuple<Index, Index, Index, Index>;  // the two nodes, the type, the joint
  std::vector<Key> cut;
  cut.reserve(topology.cut_joints.size());
  for (const Index j : topology.cut_joints) {
    const Topology::Joint& joint = topology.joints[at(j)];
    cut.emplace_back(std::min(joint.a, joint.b), std::max(joint.a, joint.b), joint.array, j);
    for (const auto& [child, above] : {std::pair(joint.a, joint.b), std::pair(joint.b, joint.a)}) {
      if (topology.parent[at(child)] != above || child == above) continue;
      const Topology::Joint& of_tree = topology.joints[at(topology.joint_above[at(child)])];
      twins.compare(subject, {of_tree.array, of_tree.element}, {joint.array, joint.element});
    }
  }
  std::sort(cut.begin(), cut.end());
  for (std::size_t k = 1; k < cut.size(); ++k) {
    const auto& [a, b, array, j] = cut[k];
    const auto& [a_before, b_before, array_before, j_before] = cut[k - 1];
    if (a != a_before || b != b_before || array != array_before) continue;
    const Topology::Joint &joint = topology.joints[at(j)], &before = topology.joints[at(j_before)];
    twins.compare(subject, {before.array, before.element}, {joint.array, joint.element});
  }
}

// Couplings, angles and the like are no joints of the topology.
void find_twin_relations(const CheckSubject& subject, Twins& twins) {
  for_each_array(subject, [&](Index array, const ElementArrayBase& elements, const ElementInfo&) {
    if (elements.rows() == 0 || elements.size() < 2) return;
    bool relates = false;
    for (int k = 0; k < elements.places(); ++k) relates = relates || elements.wrench_kind(k) == WrenchKind::single;
    if (!relates) return;
    std::vector<std::pair<std::vector<Site>, Index>> all;
    for (Index e = 0; e < elements.size(); ++e) all.emplace_back(sites(subject, {array, e}), e);
    std::sort(all.begin(), all.end());
    for (std::size_t k = 1; k < all.size(); ++k) {
      if (all[k].first == all[k - 1].first) twins.compare(subject, {array, all[k - 1].second}, {array, all[k].second});
    }
  });
}

}  // namespace

void warn_of_twins(const CheckSubject& subject, CheckReport& report) {
  Twins twins;
  find_twin_joints(subject, twins);
  find_twin_relations(subject, twins);
  if (twins.count == 0) return;
  report.warnings.push_back(
      fmt::format("{} and {} hold the same places{}; the second says what the first has said or contradicts it, so "
                  "remove one of them",
                  subject.described(twins.one), subject.described(twins.other), and_more(twins.count - 1)));
}

}  // namespace stillpoint::checks
