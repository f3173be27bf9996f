#include "stillpoint/elements/space/universal.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& space::Universal::info() {
  static const ElementInfo info{
      "universal",
      "A universal (Cardan) joint: the cross is the x axis of the first frame and the y axis of the second.",
      "p_b − p_a = 0,  x_a · y_b = 0",
      {field<&space::Universal::a, &space::Universal::b>("between", "", "the two frames")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<space::Universal>();

}  // namespace stillpoint
