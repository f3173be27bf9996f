#include "stillpoint/elements/space/spherical.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& space::Spherical::info() {
  static const ElementInfo info{"spherical",
                                "A ball joint: two points coincide.",
                                "p_b − p_a = 0",
                                {field<&space::Spherical::a, &space::Spherical::b>("between", "", "the two points")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<space::Spherical>();

}  // namespace stillpoint
