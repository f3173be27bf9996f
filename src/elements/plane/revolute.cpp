#include "stillpoint/elements/plane/revolute.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& Revolute::info() {
  static const ElementInfo info{"revolute",
                                "A pin joint: two points coincide.",
                                "p_b − p_a = 0",
                                {field<&Revolute::a, &Revolute::b>("between", "", "the two points")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<Revolute>();

}  // namespace stillpoint
