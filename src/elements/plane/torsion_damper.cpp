#include "stillpoint/elements/plane/torsion_damper.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& TorsionDamper::info() {
  static const ElementInfo info{
      "torsion_damper",
      "A damper between two angles (or two scalars).",
      "torque damping · d(φ_b − φ_a)/dt",
      {field<&TorsionDamper::a, &TorsionDamper::b>("between", "", "the two angles: bodies, scalars or the ground"),
       field<&TorsionDamper::damping>("damping", "N m s/rad", "damping (N s/m between displacements)")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<TorsionDamper>();

}  // namespace stillpoint
