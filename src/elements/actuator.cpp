#include "stillpoint/elements/actuator.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

template <class Place>
const ElementInfo& BasicActuator<Place>::info() {
  static const ElementInfo info{
      "actuator",
      "A linear actuator (cylinder) between two points: it pushes them apart with a force that an input scales.",
      "potential −u magnitude l",
      {field<&BasicActuator::a, &BasicActuator::b>("between", "", "the two ends"),
       field<&BasicActuator::magnitude>("magnitude", "N per unit of the input", "the force that pushes the ends apart")
           .optional("1"),
       field<&BasicActuator::input>("input", "", "the input that scales it")}};
  return info;
}

template struct BasicActuator<PositionOf>;
template struct BasicActuator<space::PositionOf>;
template std::shared_ptr<ElementArrayBase> new_element_array<Actuator>();
template std::shared_ptr<ElementArrayBase> new_element_array<space::Actuator>();

}  // namespace stillpoint
