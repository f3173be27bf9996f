#include "stillpoint/elements/torsion_spring.h"

namespace stillpoint {

const ElementInfo& TorsionSpring::info() {
  static const ElementInfo info{
      "torsion_spring",
      "A spring between two angles (or two scalars), with a damper beside it if wanted.",
      "½ stiffness (φ_b − φ_a − free_angle)²,  torque damping · d(φ_b − φ_a)/dt",
      {field<&TorsionSpring::a, &TorsionSpring::b>("between", "", "the two angles: bodies, scalars or the ground"),
       field<&TorsionSpring::stiffness>("stiffness", "N m/rad", "stiffness (N/m between displacements)"),
       field<&TorsionSpring::free_angle>("free_angle", "rad", "angle without torque (m between displacements)")
           .optional("0"),
       field<&TorsionSpring::damping>("damping", "N m s/rad", "damping (N s/m between displacements)").optional("0")}};
  return info;
}

template class ElementArray<TorsionSpring>;

}  // namespace stillpoint
