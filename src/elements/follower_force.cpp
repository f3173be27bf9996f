#include "stillpoint/elements/follower_force.h"

namespace stillpoint {

const ElementInfo& FollowerForce::info() {
  static const ElementInfo info{
      "follower_force",
      "A force that turns with the body it acts on: a thrust; with an input, scaled by it.",
      "force u A(φ) vector on the frame's origin",
      {field<&FollowerForce::at>("at", "", "the frame it acts on and turns with"),
       field<&FollowerForce::vector>("vector", "N", "the force, in the axes of the frame"),
       field<&FollowerForce::input>("input", "", "the input that scales it").optional("a constant 1")}};
  return info;
}

template class ElementArray<FollowerForce>;

}  // namespace stillpoint
