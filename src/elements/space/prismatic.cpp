#include "stillpoint/elements/space/prismatic.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& space::Prismatic::info() {
  static const ElementInfo info{
      "prismatic",
      "A carriage on a rail: one frame slides along the z axis of the other and does not rotate relative to it.",
      "p_b − p_a ∥ z_a,  R_a = R_b",
      {field<&space::Prismatic::a, &space::Prismatic::b>("between", "",
                                                         "the frame of the rail, and the frame that slides on it")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<space::Prismatic>();

}  // namespace stillpoint
