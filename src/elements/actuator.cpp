#include "stillpoint/elements/actuator.h"

namespace stillpoint {

const ElementInfo& Actuator::info() {
  static const ElementInfo info{
      "actuator",
      "A cylinder between two points: pushes them apart, scaled by an input.",
      "potential −u magnitude l",
      {field<&Actuator::a, &Actuator::b>("between", "", "the two ends"),
       field<&Actuator::magnitude>("magnitude", "N per unit of the input", "the force that pushes the ends apart")
           .optional("1"),
       field<&Actuator::input>("input", "", "the input that scales it")}};
  return info;
}

template class ElementArray<Actuator>;

}  // namespace stillpoint
