#include "check/subject.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/median.h"

namespace stillpoint::checks {

namespace {

Lengths lengths_in(const CheckedModel& checked) {
  Lengths found;
  std::vector<double> lengths;
  for_each_number(checked, is_length, [&](ElementId id, double l) {
    if (l > 0) lengths.push_back(l);
    if (l <= found.largest) return;
    found.largest = l;
    found.of_largest = id;
  });
  const auto add = [&](Index block, double l) {
    if (block != on_ground && l > 0) lengths.push_back(l);
  };
  if (lengths.empty()) {
    for (const Marker& m : checked.model.markers()) add(m.block, length(m.position));
    for (const space::Marker& m : checked.model.space_markers()) add(m.block, length(m.position));
  }
  found.count = static_cast<Index>(lengths.size());
  found.usual = median(std::move(lengths));
  return found;
}

}  // namespace

CheckedModel::CheckedModel(const Model& checked)
    : model(checked), guess(model.initial_state()), context(model.context(guess)), topology(find_topology(model)) {
  const std::vector<Block>& blocks = model.blocks();
  in_space =
      model.space_markers().size() > 1 ||  // the first is the origin of the ground
      std::any_of(blocks.begin(), blocks.end(), [](const Block& block) { return stillpoint::in_space(block.kind); });
  lengths = lengths_in(*this);
}

std::optional<Vec3<double>> CheckedModel::position(FieldKind kind, Index reference) const {
  if (reference == nothing) return std::nullopt;
  if (kind == FieldKind::space_position || kind == FieldKind::space_frame) {
    return lift<double>(context, space::PositionOf{reference}, {});
  }
  if (kind != FieldKind::position && kind != FieldKind::frame) return std::nullopt;
  const Vec2<double> p = lift<double>(context, PositionOf{reference}, {});
  return Vec3<double>{p.x, p.y, 0};
}

std::string CheckedModel::described_block(Index block) const {
  if (block == on_ground) return "the ground";
  return fmt::format("{} '{}'", word_of(model.blocks()[at(block)].kind), model.block_name(block));
}

std::string CheckedModel::described(ElementId id) const {
  const ElementArrayBase& type = elements(id.array);
  const std::string name = model.element_name(static_cast<std::size_t>(id.array), id.element);
  const bool has_name = name.find('#') == std::string::npos;
  const bool is_mass = (type.laws() & (Law::inertia | Law::energy)) == Law::inertia && type.places() == 1;
  if (!has_name && is_mass) return described_block(type.block(context, id.element, 0));
  return fmt::format("{} '{}'", type.info().keyword, name);
}

std::string and_more(Index others) { return others > 0 ? fmt::format(" (and {} more)", others) : ""; }

}  // namespace stillpoint::checks
