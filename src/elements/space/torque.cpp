#include "stillpoint/elements/space/torque.h"

namespace stillpoint {

const ElementInfo& space::Torque::info() {
  static const ElementInfo info{
      "torque",
      "A torque that keeps its direction; with an input, scaled by it.",
      "torque u vector",
      {field<&space::Torque::at>("at", "", "the body it acts on"),
       field<&space::Torque::vector>("vector", "N m", "the torque, in the axes of the ground"),
       field<&space::Torque::input>("input", "", "the input that scales it").optional("a constant 1")}};
  return info;
}

template class ElementArray<space::Torque>;

}  // namespace stillpoint
