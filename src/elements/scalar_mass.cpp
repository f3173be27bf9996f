#include "stillpoint/elements/scalar_mass.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& ScalarMass::info() {
  static const ElementInfo info{
      "scalar_mass",
      "The own inertia of a single coordinate: a flywheel, a carriage.",
      "inertia force m q̈",
      {field<&ScalarMass::coordinate>("coordinate", "", "the coordinate"),
       field<&ScalarMass::mass>("mass", "kg or kg m²", "its inertia").must_be(Allowed::non_negative)}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<ScalarMass>();

}  // namespace stillpoint
