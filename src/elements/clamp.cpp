#include "stillpoint/elements/clamp.h"

namespace stillpoint {

const ElementInfo& Clamp::info() {
  static const ElementInfo info{"clamp",
                                "Holds a node of a flexible body where it belongs in its floating frame.",
                                "ux = 0,  uy = 0,  theta = 0",
                                {field<&Clamp::node>("node", "", "the node")}};
  return info;
}

template class ElementArray<Clamp>;

}  // namespace stillpoint
