#include "stillpoint/elements/space/prismatic.h"

namespace stillpoint {

const ElementInfo& space::Prismatic::info() {
  static const ElementInfo info{
      "prismatic",
      "A carriage on a rail: one frame slides along the z axis of the other and does not turn against it.",
      "p_b − p_a ∥ z_a,  R_a = R_b",
      {field<&space::Prismatic::a, &space::Prismatic::b>("between", "",
                                                         "the frame of the rail, and the frame that slides on it")}};
  return info;
}

template class ElementArray<space::Prismatic>;

}  // namespace stillpoint
