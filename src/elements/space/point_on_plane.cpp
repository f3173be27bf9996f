#include "stillpoint/elements/space/point_on_plane.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& space::PointOnPlane::info() {
  static const ElementInfo info{"point_on_plane",
                                "A point stays in the x-y plane of a frame.",
                                "z_a · (p − p_a) = 0",
                                {field<&space::PointOnPlane::plane>("plane", "", "the frame whose x-y plane it is"),
                                 field<&space::PointOnPlane::point>("point", "", "the point in it")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<space::PointOnPlane>();

}  // namespace stillpoint
