#include "stillpoint/elements/plane/beam.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& Beam::info() {
  static const ElementInfo info{
      "beam",
      "A corotational element of an elastic beam between two frames whose x axes lie along it; large motions, small "
      "strains.",
      "½ axial_stiffness · length · ε² + bending (and shear), relative to the line between its ends",
      {field<&Beam::a, &Beam::b>("between", "", "the frames at its ends"),
       field<&Beam::length>("length", "m", "its length without strain").must_be(Allowed::positive),
       field<&Beam::axial_stiffness>("axial_stiffness", "N", "EA").must_be(Allowed::positive),
       field<&Beam::bending_stiffness>("bending_stiffness", "N m²", "EI").must_be(Allowed::positive),
       field<&Beam::shear_stiffness>("shear_stiffness", "N", "GA of the shear area; 0: rigid in shear")
           .optional("0")
           .must_be(Allowed::non_negative),
       field<&Beam::mass_per_length>("mass_per_length", "kg/m", "ρA").optional("0").must_be(Allowed::non_negative),
       field<&Beam::rotary_inertia>("rotary_inertia", "kg m", "ρI, of the sections per length")
           .optional("0")
           .must_be(Allowed::non_negative),
       rayleigh_field<&Beam::damping>()}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<Beam>();

}  // namespace stillpoint
