#include "stillpoint/elements/space/constant_velocity.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& space::ConstantVelocity::info() {
  static const ElementInfo info{
      "constant_velocity",
      "A constant-velocity joint between shafts along the z axes of two frames.",
      "p_b − p_a = 0,  x_b · y_a = y_b · x_a",
      {field<&space::ConstantVelocity::a, &space::ConstantVelocity::b>("between", "", "the two frames")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<space::ConstantVelocity>();

}  // namespace stillpoint
