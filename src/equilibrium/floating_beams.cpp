// Axial loads in floating beams, whose stiffening or softening effect on bending the linear theory of the floating
// frame of reference omits. Reference: [Shabana 2013], ch. 5.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>

#include "equilibrium/search.h"
#include "stillpoint/elements/plane/floating_beam.h"

namespace stillpoint {

namespace {

/// The beams of one floating frame together.
struct FloatingBody {
  double length = 0, force = 0, bending_stiffness = 0;  ///< total length, largest force, smallest stiffness

  void take(const FloatingBeam& beam, const Segment<double>& at) {
    length += stillpoint::length(at.rest_b - at.rest_a);
    const double axial = beam.axial_force(at);
    if (std::abs(axial) > std::abs(force)) force = axial;
    bending_stiffness =
        bending_stiffness > 0 ? std::min(bending_stiffness, beam.bending_stiffness) : beam.bending_stiffness;
  }

  /// The axial force over the buckling load of a pinned beam of this length. The square of the lowest frequency changes
  /// by this fraction.
  double relative_force() const {
    return force * length * length / (std::numbers::pi * std::numbers::pi * bending_stiffness);
  }
};

constexpr double matters = 0.02;  // one percent of a frequency

}  // namespace

void warn_of_axial_loads(const Model& model, const State& state, std::vector<std::string>& warnings) {
  const Context context = model.context(state);
  std::map<Index, FloatingBody> bodies;
  for (const ModelArray& array : model.arrays()) {
    for (Index i = 0; i < array.elements->size(); ++i) {
      const auto* const beam = element_as<FloatingBeam>(*array.elements, i);
      if (!beam) break;
      bodies[block_of(context, beam->nodes)].take(*beam, lift<double>(context, beam->nodes, {}));
    }
  }
  const auto most = std::max_element(bodies.begin(), bodies.end(), [](const auto& a, const auto& b) {
    return std::abs(a.second.relative_force()) < std::abs(b.second.relative_force());
  });
  if (most == bodies.end()) return;
  const auto& [frame, body] = *most;
  if (!(std::abs(body.relative_force()) > matters)) return;
  const auto others =
      std::count_if(bodies.begin(), bodies.end(),
                    [](const auto& other) { return std::abs(other.second.relative_force()) > matters; }) -
      1;
  warnings.push_back(
      fmt::format("floating body '{}'{} carries {:.3g} N along its beams, {:.2g} of its buckling load: that such a {} "
                  "bending is included in beam, but not in floating_beam",
                  model.block_name(frame), others > 0 ? fmt::format(" (and {} more)", others) : "", body.force,
                  std::abs(body.relative_force()), body.force > 0 ? "tension stiffens" : "compression softens"));
}

}  // namespace stillpoint
