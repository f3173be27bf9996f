#include "stillpoint/elements/plane/rigid_mass.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& RigidMass::info() {
  static const ElementInfo info{
      "rigid_mass",
      "The mass of a rigid body, given at its centre of mass (the fields mass, inertia and centre of a body make one).",
      "inertia forces m a_c, I φ̈",
      {field<&RigidMass::centre>("at", "", "the centre of mass: a frame on a body"),
       field<&RigidMass::mass>("mass", "kg", "its mass").must_be(Allowed::non_negative),
       field<&RigidMass::moment>("inertia", "kg m²", "moment of inertia about the centre of mass")
           .optional("0")
           .must_be(Allowed::non_negative)}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<RigidMass>();

}  // namespace stillpoint
