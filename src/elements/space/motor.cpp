#include "stillpoint/elements/space/motor.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& space::Motor::info() {
  static const ElementInfo info{
      "motor",
      "A torque about the z axis of a hinge; an input scales it, if there is one.",
      "potential −u magnitude φ",
      {field<&space::Motor::a, &space::Motor::b>("between", "", "the frame of its reaction, and the frame it acts on"),
       field<&space::Motor::magnitude>("magnitude", "N m", "the torque").optional("1"),
       field<&space::Motor::input>("input", "", "the input that scales it").optional("a constant 1")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<space::Motor>();

}  // namespace stillpoint
