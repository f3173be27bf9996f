// Connections of the model: parts that nothing holds, joints of a body with itself, inputs without an effect.

#include <fmt/format.h>

#include <algorithm>

#include "base/name_list.h"
#include "check/steps.h"

namespace stillpoint::checks {

namespace {

/// "body 'a', point 'P' and 3 more"
std::string first_blocks_of_part(const CheckedModel& checked, Index part) {
  constexpr Index most = 3;
  const std::vector<Index>& parts = checked.topology.part;
  std::vector<std::string> names;
  Index count = 0;
  for (std::size_t b = 0; b < parts.size(); ++b) {
    if (parts[b] == part && ++count <= most) names.push_back(checked.described_block(static_cast<Index>(b)));
  }
  return name_list(names, count, most);
}

/// Parts with a force from outside: a dead force, or a damper to the ground or to a part that is held.
std::vector<char> parts_under_force(const CheckedModel& checked) {
  const Topology& topology = checked.topology;
  std::vector<char> pushed(topology.parts.size(), 0);
  const auto part_of = [&](Index block) {
    return static_cast<std::size_t>(topology.part[static_cast<std::size_t>(block)]);
  };
  for_each_array(checked, [&](Index, const ElementArrayBase& elements, const ElementInfo&) {
    if ((elements.laws() & (Law::energy | Law::forces)) == 0 || elements.info().is_internal()) return;
    for (Index e = 0; e < elements.size(); ++e) {
      bool from_outside = elements.places() == 1;
      for (int k = 0; k < elements.places(); ++k) {
        const Index block = elements.block(checked.context, e, k);
        from_outside = from_outside || block == on_ground || topology.parts[part_of(block)].grounded ||
                       topology.parts[part_of(block)].held_by_forces;
      }
      for (int k = 0; from_outside && k < elements.places(); ++k) {
        const Index block = elements.block(checked.context, e, k);
        if (block != on_ground) pushed[part_of(block)] = 1;
      }
    }
  });
  return pushed;
}

}  // namespace

// A model without any connection to the ground and without gravity may be a spacecraft. A scalar may be free, such as
// the travel of a carriage.
void warn_of_loose_parts(const CheckedModel& checked, CheckReport& report) {
  const bool something_stands = report.grounded_parts + report.held_parts > 0;
  const bool something_falls = length(report.gravity) > 0 && report.mass > 0;
  if (report.grounded_parts + report.held_parts == report.part_count) return;
  if (!something_stands && !something_falls) return;
  const std::vector<char> pushed = parts_under_force(checked);
  Index count = 0, first = nothing;
  for (std::size_t k = 0; k < pushed.size(); ++k) {
    const Topology::Part& part = checked.topology.parts[k];
    if (part.grounded || part.held_by_forces || part.bodies + part.points == 0 || pushed[k]) continue;
    if (count++ == 0) first = static_cast<Index>(k);
  }
  if (count == 0) return;
  report.warnings.push_back(fmt::format(
      "nothing holds {}{}: no constraint, spring or other force leads from there to the ground; usually all parts are "
      "held, so add the joint or spring that is missing",
      first_blocks_of_part(checked, first),
      count > 1 ? fmt::format(", nor {} other part{}", count - 1, count > 2 ? "s" : "") : ""));
}

void warn_of_joints_with_itself(const CheckedModel& checked, CheckReport& report) {
  Index count = 0;
  const Topology::Joint* first = nullptr;
  for (const Topology::Joint& joint : checked.topology.joints) {
    if (joint.a == joint.b && count++ == 0) first = &joint;
  }
  if (count == 0) return;
  report.warnings.push_back(fmt::format(
      "{} joins {} with itself{}; a joint is usually between two bodies, so correct "
      "one of its places or remove it",
      checked.described({first->array, first->element}), checked.described_block(first->a - 1), and_more(count - 1)));
}

void warn_of_idle_inputs(const CheckedModel& checked, CheckReport& report) {
  if (report.inputs == 0) return;
  std::vector<char> used(static_cast<std::size_t>(report.inputs), 0);
  for_each_array(checked, [&](Index array, const ElementArrayBase& elements, const ElementInfo& info) {
    for (const Field& field : info.fields) {
      if (field.kind != FieldKind::input) continue;
      for (Index e = 0; e < elements.size(); ++e) {
        const Index input = checked.value({array, e}, field).references[0];
        if (input != nothing) used[static_cast<std::size_t>(input)] = 1;
      }
    }
  });
  const auto idle = static_cast<Index>(std::count(used.begin(), used.end(), 0));
  if (idle == 0) return;
  const auto first = static_cast<Index>(std::find(used.begin(), used.end(), 0) - used.begin());
  report.warnings.push_back(
      fmt::format("input '{}' drives nothing{}; name it in the field 'input' of a force, an "
                  "actuator or a prescribed motion, or remove it",
                  checked.model.input_name(first), and_more(idle - 1)));
}

}  // namespace stillpoint::checks
