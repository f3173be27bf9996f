#include "stillpoint/elements/damper.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

template <class Place>
const ElementInfo& BasicDamper<Place>::info() {
  static const ElementInfo info{"damper",
                                "A damper between two points.",
                                "tension damping · dl/dt",
                                {field<&BasicDamper::a, &BasicDamper::b>("between", "", "the two ends"),
                                 field<&BasicDamper::damping>("damping", "N s/m", "damping")}};
  return info;
}

template struct BasicDamper<PositionOf>;
template struct BasicDamper<space::PositionOf>;
template std::shared_ptr<ElementArrayBase> new_element_array<Damper>();
template std::shared_ptr<ElementArrayBase> new_element_array<space::Damper>();

}  // namespace stillpoint
