#include "stillpoint/elements/drawing.h"

#include "stillpoint/authoring/define_element.h"

namespace stillpoint {

const char* key_of(DrawnShape shape) {
  switch (shape) {
    case DrawnShape::box:
      return "box";
    case DrawnShape::cylinder:
      return "cylinder";
    case DrawnShape::capsule:
      return "capsule";
    case DrawnShape::sphere:
      return "sphere";
    case DrawnShape::polyline:
      return "polyline";
    default:
      return "mesh";
  }
}

template <class Place>
const ElementInfo& BasicDrawn<Place>::info() {
  static const ElementInfo info{"draw",
                                "A shape that is drawn, without any effect on the mechanism.",
                                "",
                                {field<&BasicDrawn::on>("on", "", "what carries it")}};
  return info;
}

template struct BasicDrawn<PositionOf>;
template struct BasicDrawn<space::PositionOf>;
template std::shared_ptr<ElementArrayBase> new_element_array<Drawn>();
template std::shared_ptr<ElementArrayBase> new_element_array<space::Drawn>();

}  // namespace stillpoint
