// Flexible bodies whose floating frame is not fixed to its nodes: rigid motions are then described twice, by the frame
// and by the displacements.

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "check/steps.h"

namespace stillpoint::checks {

namespace {

/// The floating frame whose nodes own all of these coordinates; `nothing` if there is none.
Index frame_of_all(const Model& model, const std::vector<Index>& coordinates) {
  Index frame = nothing;
  for (const Index i : coordinates) {
    const Block& block = model.blocks()[at(owner_of(model.blocks(), i))];
    if (block.kind != BlockKind::node || (frame != nothing && block.carrier != frame)) return nothing;
    frame = block.carrier;
  }
  return frame;
}

}  // namespace

void warn_of_loose_frames(const CheckedModel& checked, CheckReport& report) {
  constexpr Index enough = 3;  // degrees of freedom of a rigid motion in the plane
  const Model& model = checked.model;
  std::vector<Index> ties(model.blocks().size(), enough);
  for (const Block& block : model.blocks()) {
    if (block.kind == BlockKind::node) ties[at(block.carrier)] = 0;
  }
  if (std::all_of(ties.begin(), ties.end(), [](Index count) { return count == enough; })) return;
  std::vector<Index> touched;
  for_each_array(checked, [&](Index, const ElementArrayBase& elements, const ElementInfo& info) {
    if (elements.rows() == 0) return;
    for (Index e = 0; e < elements.size(); ++e) {
      touched.clear();
      elements.add_coordinates(checked.context, e, touched);
      const Index frame = info.is_internal() ? elements.block(checked.context, e, 0) : frame_of_all(model, touched);
      if (frame != nothing) ties[at(frame)] += elements.rows();
    }
  });
  Index count = 0, first = nothing;
  for (std::size_t b = 0; b < ties.size(); ++b) {
    if (ties[b] < enough && count++ == 0) first = static_cast<Index>(b);
  }
  if (count == 0) return;
  report.warnings.push_back(
      fmt::format("floating frame '{}' is fixed to its nodes by only {} of {} equations{}: it can move while they "
                  "stand still; add a clamp at one of its nodes",
                  model.block_name(first), ties[at(first)], enough, and_more(count - 1)));
}

}  // namespace stillpoint::checks
