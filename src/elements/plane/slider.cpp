#include "stillpoint/elements/plane/slider.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& Slider::info() {
  static const ElementInfo info{"slider",
                                "A pin in a slot: a point stays on the line along the x axis of a frame.",
                                "e_slot × (p_pin − p_slot) = 0",
                                {field<&Slider::slot>("slot", "", "the frame whose x axis is the slot"),
                                 field<&Slider::pin>("pin", "", "the point in the slot")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<Slider>();

}  // namespace stillpoint
