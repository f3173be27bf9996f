#include "stillpoint/elements/plane/angle.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& Angle::info() {
  static const ElementInfo info{"angle",
                                "Defines an angle as the direction from one point to another.",
                                "φ − atan2(y_to − y_from, x_to − x_from) = 0, in [−π, π]",
                                {field<&Angle::angle>("of", "", "the angle: a scalar or a body"),
                                 field<&Angle::from, &Angle::to>("between", "", "the two points: from, to")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<Angle>();

}  // namespace stillpoint
