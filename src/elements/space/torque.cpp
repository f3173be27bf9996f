#include "stillpoint/elements/space/torque.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& space::Torque::info() {
  static const ElementInfo info{
      "torque",
      "A torque of constant direction (dead torque); an input scales it, if there is one.",
      "torque u vector",
      {field<&space::Torque::at>("at", "", "the body it acts on"),
       field<&space::Torque::vector>("vector", "N m", "the torque, in the axes of the ground"),
       field<&space::Torque::input>("input", "", "the input that scales it").optional("a constant 1")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<space::Torque>();

}  // namespace stillpoint
