#include "stillpoint/elements/space/beam.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& space::Beam::info() {
  static const ElementInfo info{
      "beam",
      "A corotational element of an elastic beam between two frames whose x axes lie along it; large motions, small "
      "strains.",
      "½ axial_stiffness · length · ε² + torsion, and bending and shear in two planes, relative to the line between "
      "its ends",
      {field<&Beam::a, &Beam::b>("between", "", "the frames at its ends"),
       field<&Beam::length>("length", "m", "its length without strain").must_be(Allowed::positive),
       field<&Beam::axial_stiffness>("axial_stiffness", "N", "EA").must_be(Allowed::positive),
       field<&Beam::torsion_stiffness>("torsion_stiffness", "N m²", "GJ").must_be(Allowed::positive),
       field<&Beam::bending_y, &Beam::bending_z>("bending_stiffness", "N m²", "EI about y, about z")
           .must_be(Allowed::positive),
       field<&Beam::shear_y, &Beam::shear_z>("shear_stiffness", "N",
                                             "GA of the shear area, along y, along z; 0: rigid in shear")
           .optional("0, 0")
           .must_be(Allowed::non_negative),
       field<&Beam::mass_per_length>("mass_per_length", "kg/m", "ρA").optional("0").must_be(Allowed::non_negative),
       field<&Beam::rotary_inertia>("rotary_inertia", "kg m", "ρI of the sections per length, about x, y and z")
           .optional("0, 0, 0")
           .must_be(Allowed::non_negative),
       rayleigh_field<&Beam::damping>()}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<space::Beam>();

}  // namespace stillpoint
