#include "stillpoint/elements/rod.h"

namespace stillpoint {

template <class Place>
const ElementInfo& BasicRod<Place>::info() {
  static const ElementInfo info{
      "rod",
      "A rigid uniform rod between two points: a constant distance with a mass spread evenly.",
      "|p_b − p_a|² − length² = 0",
      {field<&BasicRod::a, &BasicRod::b>("between", "", "the two ends"),
       field<&BasicRod::length>("length", "m", "distance of the ends").must_be(Allowed::positive),
       field<&BasicRod::mass>("mass", "kg", "mass of the whole rod").must_be(Allowed::non_negative)}};
  return info;
}

template struct BasicRod<PositionOf>;
template struct BasicRod<space::PositionOf>;
template class ElementArray<Rod>;
template class ElementArray<space::Rod>;

}  // namespace stillpoint
