#include "stillpoint/elements/weld.h"

namespace stillpoint {

const ElementInfo& Weld::info() {
  static const ElementInfo info{"weld",
                                "Joins two frames rigidly.",
                                "p_b − p_a = 0,  φ_b − φ_a = 0 in [−π, π]",
                                {field<&Weld::a, &Weld::b>("between", "", "the two frames")}};
  return info;
}

template class ElementArray<Weld>;

}  // namespace stillpoint
