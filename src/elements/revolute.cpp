#include "stillpoint/elements/revolute.h"

namespace stillpoint {

const ElementInfo& Revolute::info() {
  static const ElementInfo info{"revolute",
                                "A pin: two points stay together.",
                                "p_b − p_a = 0",
                                {field<&Revolute::a, &Revolute::b>("between", "", "the two points")}};
  return info;
}

template class ElementArray<Revolute>;

}  // namespace stillpoint
