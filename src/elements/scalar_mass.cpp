#include "stillpoint/elements/scalar_mass.h"

namespace stillpoint {

const ElementInfo& ScalarMass::info() {
  static const ElementInfo info{
      "scalar_mass",
      "The inertia that a single coordinate has by itself: a flywheel, a carriage.",
      "inertia force m q̈",
      {field<&ScalarMass::coordinate>("coordinate", "", "the coordinate"),
       field<&ScalarMass::mass>("mass", "kg or kg m²", "its inertia").must_be(Allowed::non_negative)}};
  return info;
}

template class ElementArray<ScalarMass>;

}  // namespace stillpoint
