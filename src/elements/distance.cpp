#include "stillpoint/elements/distance.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

template <class Place>
const ElementInfo& BasicDistance<Place>::info() {
  static const ElementInfo info{
      "distance",
      "Keeps two points at a constant distance: a massless rod.",
      "|p_b − p_a|² − length² = 0",
      {field<&BasicDistance::a, &BasicDistance::b>("between", "", "the two points"),
       field<&BasicDistance::length>("length", "m", "their distance").must_be(Allowed::positive)}};
  return info;
}

template struct BasicDistance<PositionOf>;
template struct BasicDistance<space::PositionOf>;
template std::shared_ptr<ElementArrayBase> new_element_array<Distance>();
template std::shared_ptr<ElementArrayBase> new_element_array<space::Distance>();

}  // namespace stillpoint
