#include "stillpoint/elements/space/torsion_spring.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& space::TorsionSpring::info() {
  static const ElementInfo info{
      "torsion_spring",
      "A spring about the z axis of a hinge, with an optional damper.",
      "½ stiffness (φ − free_angle)²,  φ − free_angle in [−π, π]",
      {field<&space::TorsionSpring::a, &space::TorsionSpring::b>(
           "between", "", "the two frames; the angle is that of the second relative to the first"),
       field<&space::TorsionSpring::stiffness>("stiffness", "N m/rad", "stiffness"),
       field<&space::TorsionSpring::free_angle>("free_angle", "rad", "angle without torque").optional("0").free_state(),
       field<&space::TorsionSpring::damping>("damping", "N m s/rad", "damping").optional("0"),
       preload_field<space::TorsionSpring>()}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<space::TorsionSpring>();

}  // namespace stillpoint
