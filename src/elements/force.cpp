#include "stillpoint/elements/force.h"

namespace stillpoint {

const ElementInfo& Force::info() {
  static const ElementInfo info{
      "force",
      "A force that keeps its direction; with an input, scaled by it.",
      "potential −u vector · p",
      {field<&Force::at>("at", "", "the point it acts on"),
       field<&Force::vector>("vector", "N", "the force, in the axes of the ground").must_be(Allowed::not_all_zero),
       field<&Force::input>("input", "", "the input that scales it").optional("a constant 1")}};
  return info;
}

template class ElementArray<Force>;

}  // namespace stillpoint
