#include "stillpoint/elements/space/planar.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& space::Planar::info() {
  static const ElementInfo info{
      "planar",
      "A plate on a table: one frame moves in the x-y plane of the other and rotates about its normal.",
      "z_a · (p_b − p_a) = 0,  z_a ∥ z_b",
      {field<&space::Planar::a, &space::Planar::b>("between", "",
                                                   "the frame of the plane, and the frame that moves in it")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<space::Planar>();

}  // namespace stillpoint
