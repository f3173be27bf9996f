#include "stillpoint/elements/space/follower_force.h"

namespace stillpoint {

const ElementInfo& space::FollowerForce::info() {
  static const ElementInfo info{
      "follower_force",
      "A force that turns with its body; with an input, scaled by it.",
      "force u R vector",
      {field<&space::FollowerForce::at>("at", "", "the frame it acts on and turns with"),
       field<&space::FollowerForce::vector>("vector", "N", "the force, in the axes of the frame"),
       field<&space::FollowerForce::input>("input", "", "the input that scales it").optional("a constant 1")}};
  return info;
}

template class ElementArray<space::FollowerForce>;

}  // namespace stillpoint
