#include "stillpoint/elements/space/motor.h"

namespace stillpoint {

const ElementInfo& space::Motor::info() {
  static const ElementInfo info{
      "motor",
      "A torque about the z axis of a hinge; with an input, scaled by it.",
      "potential −u magnitude φ",
      {field<&space::Motor::a, &space::Motor::b>("between", "", "the frame it reacts on, and the frame it turns"),
       field<&space::Motor::magnitude>("magnitude", "N m", "the torque").optional("1"),
       field<&space::Motor::input>("input", "", "the input that scales it").optional("a constant 1")}};
  return info;
}

template class ElementArray<space::Motor>;

}  // namespace stillpoint
