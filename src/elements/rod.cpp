#include "stillpoint/elements/rod.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

template <class Place>
const ElementInfo& BasicRod<Place>::info() {
  static const ElementInfo info{
      "rod",
      "A rigid uniform rod between two points: a constant distance with a uniformly distributed mass.",
      "|p_b − p_a|² − length² = 0",
      {field<&BasicRod::a, &BasicRod::b>("between", "", "the two ends"),
       field<&BasicRod::length>("length", "m", "distance of the ends").must_be(Allowed::positive),
       field<&BasicRod::mass>("mass", "kg", "mass of the whole rod").must_be(Allowed::non_negative)}};
  return info;
}

template struct BasicRod<PositionOf>;
template struct BasicRod<space::PositionOf>;
template std::shared_ptr<ElementArrayBase> new_element_array<Rod>();
template std::shared_ptr<ElementArrayBase> new_element_array<space::Rod>();

}  // namespace stillpoint
