// Inventory of the model, and its topology.

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "check/steps.h"

namespace stillpoint::checks {

namespace {

// Effects that the theory of a flexible element omits; docs/flexible-bodies.md describes them.
const char* left_out_by(std::string_view keyword) {
  if (keyword == "beam") return "strains that are not small, warping";
  if (keyword == "floating_beam") return "stiffening by tension, buckling, shear; displacements must be small";
  if (keyword == "flexible_body") return "stiffening by tension, buckling; displacements must be small";
  return nullptr;
}

}  // namespace

void take_inventory(const CheckedModel& checked, CheckReport& report) {
  const Model& model = checked.model;
  report.name = model.name();
  report.parameters = model.parameters();
  report.in_space = checked.in_space;
  report.coordinates = model.coordinates();
  report.constraints = model.constraints();
  report.inputs = model.inputs();
  report.outputs = model.outputs();
  report.gravity = model.gravity();
  report.angular_velocity = model.angular_velocity();
  for (const Block& block : model.blocks()) {
    if (is_body(block.kind)) ++report.bodies;
    if (is_point(block.kind)) ++report.points;
    if (block.kind == BlockKind::scalar) ++report.scalars;
    if (block.kind == BlockKind::node) ++report.nodes;
  }
  for_each_array(checked, [&](Index, const ElementArrayBase& elements, const ElementInfo& info) {
    report.elements.push_back({std::string(info.keyword), elements.size(), elements.size() * elements.rows()});
    if (const char* const what = left_out_by(info.keyword)) {
      report.left_out.push_back(fmt::format("{}: {}", info.keyword, what));
    }
  });
  for (Index i = 0; i < std::min(report.inputs, CheckReport::most_names); ++i) {
    report.input_names.push_back(model.input_name(i));
  }
  for (Index i = 0; i < std::min(report.outputs, CheckReport::most_names); ++i) {
    report.output_names.push_back(model.output_name(i));
  }
}

void describe_topology(const CheckedModel& checked, CheckReport& report) {
  const Topology& topology = checked.topology;
  report.part_count = static_cast<Index>(topology.parts.size());
  for (const Topology::Part& part : topology.parts) {
    report.grounded_parts += part.grounded;
    report.held_parts += part.held_by_forces;
    if (static_cast<Index>(report.parts.size()) < CheckReport::most_names) {
      report.parts.push_back({checked.model.block_name(part.first_block), part});
    }
  }
  report.joints = static_cast<Index>(topology.joints.size());
  report.loops = topology.loops();
  for (Index k = 0; k < std::min(report.loops, CheckReport::most_names); ++k) {
    const Index joint = topology.cut_joints[static_cast<std::size_t>(k)];
    report.cut_joints.push_back(joint_name(checked.model, topology.joints[static_cast<std::size_t>(joint)]));
  }
}

}  // namespace stillpoint::checks
