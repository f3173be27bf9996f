#include "stillpoint/elements/space/revolute.h"

namespace stillpoint {

const ElementInfo& space::Revolute::info() {
  static const ElementInfo info{"revolute",
                                "A hinge about the z axes of two frames.",
                                "p_b − p_a = 0,  z_a ∥ z_b",
                                {field<&space::Revolute::a, &space::Revolute::b>("between", "", "the two frames")}};
  return info;
}

template class ElementArray<space::Revolute>;

}  // namespace stillpoint
