#include "stillpoint/elements/point_mass.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

template <class Place>
const ElementInfo& BasicPointMass<Place>::info() {
  static const ElementInfo info{
      "point_mass",
      "A mass without extension, at a point or anywhere on a body.",
      "inertia force m a",
      {field<&BasicPointMass::at>("at", "", "where it sits"),
       field<&BasicPointMass::mass>("mass", "kg", "its mass").must_be(Allowed::non_negative)}};
  return info;
}

template struct BasicPointMass<PositionOf>;
template struct BasicPointMass<space::PositionOf>;
template std::shared_ptr<ElementArrayBase> new_element_array<PointMass>();
template std::shared_ptr<ElementArrayBase> new_element_array<space::PointMass>();

}  // namespace stillpoint
