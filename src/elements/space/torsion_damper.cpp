#include "stillpoint/elements/space/torsion_damper.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& space::TorsionDamper::info() {
  static const ElementInfo info{
      "torsion_damper",
      "A damper about the z axis of a hinge.",
      "torque damping · z_a · (ω_b − ω_a)",
      {field<&space::TorsionDamper::a, &space::TorsionDamper::b>("between", "", "the two frames"),
       field<&space::TorsionDamper::damping>("damping", "N m s/rad", "damping")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<space::TorsionDamper>();

}  // namespace stillpoint
