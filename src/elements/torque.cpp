#include "stillpoint/elements/torque.h"

namespace stillpoint {

const ElementInfo& Torque::info() {
  static const ElementInfo info{
      "torque",
      "A torque on an angle, reacting on another: a motor; with an input, scaled by it.",
      "potential −u magnitude (φ_on − φ_against)",
      {field<&Torque::on>("on", "", "the angle it turns: a body or a scalar"),
       field<&Torque::against>("against", "", "the angle it reacts on").optional("the ground"),
       field<&Torque::magnitude>("magnitude", "N m", "the torque (N on a displacement)"),
       field<&Torque::input>("input", "", "the input that scales it").optional("a constant 1")}};
  return info;
}

template class ElementArray<Torque>;

}  // namespace stillpoint
