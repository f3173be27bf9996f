#include "stillpoint/elements/spring.h"

namespace stillpoint {

template <class Place>
const ElementInfo& BasicSpring<Place>::info() {
  static const ElementInfo info{
      "spring",
      "A spring between two points, with a damper beside it if wanted.",
      "½ stiffness (l − free_length)²,  tension damping · dl/dt",
      {field<&BasicSpring::a, &BasicSpring::b>("between", "", "the two ends"),
       field<&BasicSpring::stiffness>("stiffness", "N/m", "stiffness"),
       field<&BasicSpring::free_length>("free_length", "m", "length without force").must_be(Allowed::non_negative),
       field<&BasicSpring::damping>("damping", "N s/m", "damping").optional("0")}};
  return info;
}

template struct BasicSpring<PositionOf>;
template struct BasicSpring<space::PositionOf>;
template class ElementArray<Spring>;
template class ElementArray<space::Spring>;

}  // namespace stillpoint
