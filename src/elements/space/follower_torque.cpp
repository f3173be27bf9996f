#include "stillpoint/elements/space/follower_torque.h"

namespace stillpoint {

const ElementInfo& space::FollowerTorque::info() {
  static const ElementInfo info{
      "follower_torque",
      "A torque that turns with its body; with an input, scaled by it.",
      "torque u R vector",
      {field<&space::FollowerTorque::at>("at", "", "the frame it acts on and turns with"),
       field<&space::FollowerTorque::vector>("vector", "N m", "the torque, in the axes of the frame"),
       field<&space::FollowerTorque::input>("input", "", "the input that scales it").optional("a constant 1")}};
  return info;
}

template class ElementArray<space::FollowerTorque>;

}  // namespace stillpoint
