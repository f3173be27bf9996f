#include "stillpoint/elements/space/point_on_line.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& space::PointOnLine::info() {
  static const ElementInfo info{"point_on_line",
                                "A point stays on the z axis of a frame.",
                                "p − p_a ∥ z_a",
                                {field<&space::PointOnLine::line>("line", "", "the frame whose z axis is the line"),
                                 field<&space::PointOnLine::point>("point", "", "the point on it")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<space::PointOnLine>();

}  // namespace stillpoint
