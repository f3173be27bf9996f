#include "stillpoint/elements/spring.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

template <class Place>
const ElementInfo& BasicSpring<Place>::info() {
  static const ElementInfo info{
      "spring",
      "A spring between two points, with an optional damper.",
      "½ stiffness (l − free_length)²,  tension damping · dl/dt",
      {field<&BasicSpring::a, &BasicSpring::b>("between", "", "the two ends"),
       field<&BasicSpring::stiffness>("stiffness", "N/m", "stiffness"),
       field<&BasicSpring::free_length>("free_length", "m", "length without force")
           .must_be(Allowed::non_negative)
           .free_state(),
       field<&BasicSpring::damping>("damping", "N s/m", "damping").optional("0"), preload_field<BasicSpring>()}};
  return info;
}

template struct BasicSpring<PositionOf>;
template struct BasicSpring<space::PositionOf>;
template std::shared_ptr<ElementArrayBase> new_element_array<Spring>();
template std::shared_ptr<ElementArrayBase> new_element_array<space::Spring>();

}  // namespace stillpoint
