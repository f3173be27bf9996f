#include "stillpoint/elements/space/spherical.h"

namespace stillpoint {

const ElementInfo& space::Spherical::info() {
  static const ElementInfo info{"spherical",
                                "A ball joint: two points stay together.",
                                "p_b − p_a = 0",
                                {field<&space::Spherical::a, &space::Spherical::b>("between", "", "the two points")}};
  return info;
}

template class ElementArray<space::Spherical>;

}  // namespace stillpoint
