#include "stillpoint/elements/space/follower_force.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& space::FollowerForce::info() {
  static const ElementInfo info{
      "follower_force",
      "A follower force, which rotates with its body; an input scales it, if there is one.",
      "force u R vector",
      {field<&space::FollowerForce::at>("at", "", "the frame it acts on and rotates with"),
       field<&space::FollowerForce::vector>("vector", "N", "the force, in the axes of the frame"),
       field<&space::FollowerForce::input>("input", "", "the input that scales it").optional("a constant 1")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<space::FollowerForce>();

}  // namespace stillpoint
