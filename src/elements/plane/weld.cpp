#include "stillpoint/elements/plane/weld.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& Weld::info() {
  static const ElementInfo info{"weld",
                                "Joins two frames rigidly.",
                                "p_b − p_a = 0,  φ_b − φ_a = 0 in [−π, π]",
                                {field<&Weld::a, &Weld::b>("between", "", "the two frames")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<Weld>();

}  // namespace stillpoint
