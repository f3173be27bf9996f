#include "stillpoint/elements/space/weld.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& space::Weld::info() {
  static const ElementInfo info{"weld",
                                "Joins two frames rigidly.",
                                "p_b − p_a = 0,  R_a = R_b",
                                {field<&space::Weld::a, &space::Weld::b>("between", "", "the two frames")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<space::Weld>();

}  // namespace stillpoint
