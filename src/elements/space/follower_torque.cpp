#include "stillpoint/elements/space/follower_torque.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& space::FollowerTorque::info() {
  static const ElementInfo info{
      "follower_torque",
      "A follower torque, which rotates with its body; an input scales it, if there is one.",
      "torque u R vector",
      {field<&space::FollowerTorque::at>("at", "", "the frame it acts on and rotates with"),
       field<&space::FollowerTorque::vector>("vector", "N m", "the torque, in the axes of the frame"),
       field<&space::FollowerTorque::input>("input", "", "the input that scales it").optional("a constant 1")}};
  return info;
}

template std::shared_ptr<ElementArrayBase> new_element_array<space::FollowerTorque>();

}  // namespace stillpoint
