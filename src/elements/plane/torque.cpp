#include "stillpoint/elements/plane/torque.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& Torque::info() {
  static const ElementInfo info{
      "torque",
      "A torque on an angle, with its reaction on another: a motor; an input scales it, if there is one.",
      "potential −u magnitude (φ_on − φ_against)",
      {field<&Torque::on>("on", "", "the angle it acts on: a body or a scalar"),
       field<&Torque::against>("against", "", "the angle of its reaction").optional("the ground"),
       field<&Torque::magnitude>("magnitude", "N m", "the torque (N on a displacement)"),
       field<&Torque::input>("input", "", "the input that scales it").optional("a constant 1")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<Torque>();

}  // namespace stillpoint
