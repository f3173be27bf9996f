#include "stillpoint/elements/space/rotor.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& space::Rotor::info() {
  static const ElementInfo info{
      "rotor",
      "An axisymmetric rotor that spins at a constant speed on its body: a gyroscope, a disc on a shaft.",
      "torque −ω × u R momentum",
      {field<&space::Rotor::on>("on", "", "the frame that carries it"),
       field<&space::Rotor::momentum>(
           "momentum", "N m s", "its moment of inertia times its speed, along its axis, in the axes of the frame"),
       field<&space::Rotor::input>("input", "", "the input that scales it: its speed").optional("a constant 1")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<space::Rotor>();

}  // namespace stillpoint
