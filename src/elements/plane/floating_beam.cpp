#include "stillpoint/elements/plane/floating_beam.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& FloatingBeam::info() {
  static const ElementInfo info{
      "floating_beam",
      "An element of an elastic beam in a floating frame of reference, of linear theory: the stiffening of bending by "
      "tension is not included (`beam` has it).",
      "½ axial_stiffness · length · ε² + bending, between two nodes of one body",
      {field<&FloatingBeam::nodes>("between", "", "two nodes of one body"),
       field<&FloatingBeam::axial_stiffness>("axial_stiffness", "N", "EA").must_be(Allowed::positive),
       field<&FloatingBeam::bending_stiffness>("bending_stiffness", "N m²", "EI").must_be(Allowed::positive),
       field<&FloatingBeam::mass_per_length>("mass_per_length", "kg/m", "ρA")
           .optional("0")
           .must_be(Allowed::non_negative),
       field<&FloatingBeam::rotary_inertia>("rotary_inertia", "kg m", "ρI, of the sections per length")
           .optional("0")
           .must_be(Allowed::non_negative),
       rayleigh_field<&FloatingBeam::damping>()}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<FloatingBeam>();

}  // namespace stillpoint
