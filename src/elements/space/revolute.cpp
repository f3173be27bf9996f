#include "stillpoint/elements/space/revolute.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& space::Revolute::info() {
  static const ElementInfo info{"revolute",
                                "A hinge about the z axes of two frames.",
                                "p_b − p_a = 0,  z_a ∥ z_b",
                                {field<&space::Revolute::a, &space::Revolute::b>("between", "", "the two frames")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<space::Revolute>();

}  // namespace stillpoint
