#include "stillpoint/elements/plane/torsion_spring.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& TorsionSpring::info() {
  static const ElementInfo info{
      "torsion_spring",
      "A spring between two angles (or two scalars), with an optional damper.",
      "½ stiffness (φ_b − φ_a − free_angle)²,  torque damping · d(φ_b − φ_a)/dt",
      {field<&TorsionSpring::a, &TorsionSpring::b>("between", "", "the two angles: bodies, scalars or the ground"),
       field<&TorsionSpring::stiffness>("stiffness", "N m/rad", "stiffness (N/m between displacements)"),
       field<&TorsionSpring::free_angle>("free_angle", "rad", "angle without torque (m between displacements)")
           .optional("0")
           .free_state(),
       field<&TorsionSpring::damping>("damping", "N m s/rad", "damping (N s/m between displacements)").optional("0"),
       preload_field<TorsionSpring>()}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<TorsionSpring>();

}  // namespace stillpoint
