#include "stillpoint/elements/space/travel.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& space::Travel::info() {
  static const ElementInfo info{"travel",
                                "Makes a scalar the distance that a point has along the z axis of a frame.",
                                "s − z_a · (p − p_a) = 0",
                                {field<&space::Travel::travel>("of", "", "the scalar"),
                                 field<&space::Travel::axis>("along", "", "the frame along whose z axis it goes"),
                                 field<&space::Travel::point>("point", "", "the point that travels")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<space::Travel>();

}  // namespace stillpoint
