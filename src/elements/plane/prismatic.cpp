#include "stillpoint/elements/plane/prismatic.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& Prismatic::info() {
  static const ElementInfo info{
      "prismatic",
      "A carriage on a rail: the second frame slides along the x axis of the first and does not rotate relative to it.",
      "e_a × (p_b − p_a) = 0,  φ_b − φ_a = 0 in [−π, π]",
      {field<&Prismatic::a, &Prismatic::b>("between", "", "the two frames: rail, carriage")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<Prismatic>();

}  // namespace stillpoint
