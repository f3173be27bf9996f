#include "stillpoint/elements/distance.h"

namespace stillpoint {

template <class Place>
const ElementInfo& BasicDistance<Place>::info() {
  static const ElementInfo info{
      "distance",
      "Keeps two points at a constant distance: a rod without mass.",
      "|p_b − p_a|² − length² = 0",
      {field<&BasicDistance::a, &BasicDistance::b>("between", "", "the two points"),
       field<&BasicDistance::length>("length", "m", "their distance").must_be(Allowed::positive)}};
  return info;
}

template struct BasicDistance<PositionOf>;
template struct BasicDistance<space::PositionOf>;
template class ElementArray<Distance>;
template class ElementArray<space::Distance>;

}  // namespace stillpoint
