#include "stillpoint/elements/actuator.h"

namespace stillpoint {

template <class Place>
const ElementInfo& BasicActuator<Place>::info() {
  static const ElementInfo info{
      "actuator",
      "A cylinder between two points: pushes them apart, scaled by an input.",
      "potential −u magnitude l",
      {field<&BasicActuator::a, &BasicActuator::b>("between", "", "the two ends"),
       field<&BasicActuator::magnitude>("magnitude", "N per unit of the input", "the force that pushes the ends apart")
           .optional("1"),
       field<&BasicActuator::input>("input", "", "the input that scales it")}};
  return info;
}

template struct BasicActuator<PositionOf>;
template struct BasicActuator<space::PositionOf>;
template class ElementArray<Actuator>;
template class ElementArray<space::Actuator>;

}  // namespace stillpoint
