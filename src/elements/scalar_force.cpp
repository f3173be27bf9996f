#include "stillpoint/elements/scalar_force.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& ScalarForce::info() {
  static const ElementInfo info{
      "scalar_force",
      "A force on a coordinate, or a torque if it is an angle; an input scales it, if there is one.",
      "potential −u magnitude (q_on − q_against)",
      {field<&ScalarForce::on>("on", "", "the coordinate"),
       field<&ScalarForce::against>("against", "", "another coordinate, on which it reacts")
           .optional("none: the ground"),
       field<&ScalarForce::magnitude>("magnitude", "N or N m", "the force"),
       field<&ScalarForce::input>("input", "", "the input that scales it").optional("a constant 1")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<ScalarForce>();

}  // namespace stillpoint
