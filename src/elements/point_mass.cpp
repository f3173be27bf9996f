#include "stillpoint/elements/point_mass.h"

namespace stillpoint {

const ElementInfo& PointMass::info() {
  static const ElementInfo info{"point_mass",
                                "A mass without extension, at a point or anywhere on a body.",
                                "inertia force m a",
                                {field<&PointMass::at>("at", "", "where it sits"),
                                 field<&PointMass::mass>("mass", "kg", "its mass").must_be(Allowed::non_negative)}};
  return info;
}

template class ElementArray<PointMass>;

}  // namespace stillpoint
