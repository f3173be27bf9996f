#include "stillpoint/elements/force.h"

namespace stillpoint {

template <class Place>
const ElementInfo& BasicForce<Place>::info() {
  static const ElementInfo info{
      "force",
      "A force that keeps its direction; with an input, scaled by it.",
      "potential −u vector · p",
      {field<&BasicForce::at>("at", "", "the point it acts on"),
       field<&BasicForce::vector>("vector", "N", "the force, in the axes of the ground"),
       field<&BasicForce::input>("input", "", "the input that scales it").optional("a constant 1")}};
  return info;
}

template struct BasicForce<PositionOf>;
template struct BasicForce<space::PositionOf>;
template class ElementArray<Force>;
template class ElementArray<space::Force>;

}  // namespace stillpoint
