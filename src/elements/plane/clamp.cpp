#include "stillpoint/elements/plane/clamp.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& Clamp::info() {
  static const ElementInfo info{"clamp",
                                "Holds a node of a flexible body at its undeformed pose in the floating frame.",
                                "ux = 0,  uy = 0,  theta = 0",
                                {field<&Clamp::node>("node", "", "the node")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<Clamp>();

}  // namespace stillpoint
