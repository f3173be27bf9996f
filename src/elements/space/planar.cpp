#include "stillpoint/elements/space/planar.h"

namespace stillpoint {

const ElementInfo& space::Planar::info() {
  static const ElementInfo info{
      "planar",
      "A plate on a table: one frame moves in the x-y plane of the other and turns about its normal.",
      "z_a · (p_b − p_a) = 0,  z_a ∥ z_b",
      {field<&space::Planar::a, &space::Planar::b>("between", "",
                                                   "the frame of the plane, and the frame that moves in it")}};
  return info;
}

template class ElementArray<space::Planar>;

}  // namespace stillpoint
