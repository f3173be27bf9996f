// Massless coordinates whose motion neither constraints nor forces determine.

#include <fmt/format.h>

#include <algorithm>

#include "check/steps.h"

namespace stillpoint::checks {

namespace {

/// The coordinates and blocks that elements act on through their places.
struct Reach {
  std::vector<char> coordinates;  ///< some constraint or force acts on the coordinate
  std::vector<char> constrained;  ///< some constraint acts on the block
  std::vector<char> springs;      ///< number of springs on the block, up to `many`
  static constexpr char many = 2;
};

Reach find_reach(const CheckedModel& checked) {
  const std::size_t blocks = checked.model.blocks().size();
  Reach reach{std::vector<char>(at(checked.model.coordinates()), 0), std::vector<char>(blocks, 0),
              std::vector<char>(blocks, 0)};
  std::vector<Index> touched;
  for_each_array(checked, [&](Index, const ElementArrayBase& elements, const ElementInfo& info) {
    const bool constrains = (elements.laws() & Law::residual) != 0;
    if ((elements.laws() & (Law::residual | Law::energy | Law::forces)) == 0) return;
    const Field* const stiffness = info.field_called("stiffness");
    for (Index e = 0; e < elements.size(); ++e) {
      touched.clear();
      elements.add_coordinates(checked.context, e, touched);
      for (const Index i : touched) reach.coordinates[at(i)] = 1;
      for (int k = 0; k < elements.places(); ++k) {
        const Index block = elements.block(checked.context, e, k);
        if (block == on_ground) continue;
        if (constrains) reach.constrained[at(block)] = 1;
        if (!stiffness) continue;
        char& springs = reach.springs[at(block)];
        springs = stiffness->most > 1 || springs > 0 ? Reach::many : 1;  // a stiffness matrix counts as many springs
      }
    }
  });
  return reach;
}

}  // namespace

// A massless point between a spring and a damper is well posed (Maxwell's element), and so is a massless body that
// several springs hold.
void warn_of_what_nothing_determines(const CheckedModel& checked, const std::vector<char>& massless,
                                     CheckReport& report) {
  if (report.massless_count == 0) return;
  const Reach reach = find_reach(checked);
  Index untouched = 0, undetermined = 0;
  Index first_untouched = 0, first_undetermined = 0;
  const std::vector<Block>& blocks = checked.model.blocks();
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (blocks[b].kind == BlockKind::node) continue;  // the beams of the node determine it
    const Index first = blocks[b].first, end = first + coordinates_of(blocks[b].kind);
    bool has_mass = false, has_untouched = false;
    for (Index i = first; i < end; ++i) {
      has_mass = has_mass || !massless[at(i)];
      if (!massless[at(i)] || reach.coordinates[at(i)]) continue;
      has_untouched = true;
      if (untouched++ == 0) first_untouched = i;
    }
    const char enough = is_body(blocks[b].kind) ? Reach::many : 1;
    if (has_mass || has_untouched || reach.constrained[b] || reach.springs[b] >= enough) continue;
    if (undetermined++ == 0) first_undetermined = static_cast<Index>(b);
  }
  if (untouched > 0) {
    report.warnings.push_back(fmt::format(
        "nothing acts on '{}'{}: it has no inertia, and no constraint or force reaches it, so nothing determines its "
        "motion; give it mass or inertia, join it, or use a point instead of a body",
        checked.model.coordinate_name(first_untouched), and_more(untouched - 1)));
  }
  if (undetermined > 0) {
    report.warnings.push_back(
        fmt::format("{} has no mass, no constraint, and too few springs to determine its motion{}; give it a mass or "
                    "join it to something",
                    checked.described_block(first_undetermined), and_more(undetermined - 1)));
  }
}

}  // namespace stillpoint::checks
