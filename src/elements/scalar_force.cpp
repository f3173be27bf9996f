#include "stillpoint/elements/scalar_force.h"

namespace stillpoint {

const ElementInfo& ScalarForce::info() {
  static const ElementInfo info{
      "scalar_force",
      "A force on a coordinate, or a torque if it is an angle; with an input, scaled by it.",
      "potential −u magnitude (q_on − q_against)",
      {field<&ScalarForce::on>("on", "", "the coordinate"),
       field<&ScalarForce::against>("against", "", "another coordinate, on which it reacts")
           .optional("none: the ground"),
       field<&ScalarForce::magnitude>("magnitude", "N or N m", "the force"),
       field<&ScalarForce::input>("input", "", "the input that scales it").optional("a constant 1")}};
  return info;
}

template class ElementArray<ScalarForce>;

}  // namespace stillpoint
