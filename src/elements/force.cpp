#include "stillpoint/elements/force.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

template <class Place>
const ElementInfo& BasicForce<Place>::info() {
  static const ElementInfo info{
      "force",
      "A force of constant direction (dead force); an input scales it, if there is one.",
      "potential −u vector · p",
      {field<&BasicForce::at>("at", "", "the point it acts on"),
       field<&BasicForce::vector>("vector", "N", "the force, in the axes of the ground"),
       field<&BasicForce::input>("input", "", "the input that scales it").optional("a constant 1")}};
  return info;
}

template struct BasicForce<PositionOf>;
template struct BasicForce<space::PositionOf>;
template std::shared_ptr<ElementArrayBase> new_element_array<Force>();
template std::shared_ptr<ElementArrayBase> new_element_array<space::Force>();

}  // namespace stillpoint
