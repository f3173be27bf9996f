#include "stillpoint/elements/space/cylindrical.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& space::Cylindrical::info() {
  static const ElementInfo info{
      "cylindrical",
      "A hinge that may also slide: the z axes of two frames stay on one line.",
      "p_b − p_a ∥ z_a,  z_a ∥ z_b",
      {field<&space::Cylindrical::a, &space::Cylindrical::b>("between", "", "the two frames")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<space::Cylindrical>();

}  // namespace stillpoint
