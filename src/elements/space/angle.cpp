#include "stillpoint/elements/space/angle.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& space::Angle::info() {
  static const ElementInfo info{
      "angle",
      "Makes a scalar the angle from one frame to another about their z axis, over any number of turns.",
      "φ − twist(R_aᵀ R_b) = 0 in [−π, π]",
      {field<&space::Angle::angle>("of", "", "the scalar"),
       field<&space::Angle::a, &space::Angle::b>("between", "", "from this frame to that")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<space::Angle>();

}  // namespace stillpoint
