#include "stillpoint/elements/plane/follower_force.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& FollowerForce::info() {
  static const ElementInfo info{
      "follower_force",
      "A follower force, which rotates with the body it acts on: a thrust; an input scales it, if there is one.",
      "force u A(φ) vector on the frame's origin",
      {field<&FollowerForce::at>("at", "", "the frame it acts on and rotates with"),
       field<&FollowerForce::vector>("vector", "N", "the force, in the axes of the frame"),
       field<&FollowerForce::input>("input", "", "the input that scales it").optional("a constant 1")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<FollowerForce>();

}  // namespace stillpoint
