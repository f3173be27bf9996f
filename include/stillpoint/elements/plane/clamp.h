// Holds a node at its undeformed pose in its floating frame, so that the frame is tangent to the body at the node:
//
//   Φ = u_x, u_y (m), θ (rad)
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

struct Clamp {
  NodeOf node;

  static constexpr unsigned laws = Law::residual;
  static constexpr std::array row_names{".x", ".y", ".angle"};
  static const ElementInfo& info();
  auto places() const { return std::tuple(node); }

  template <class T>
  std::array<T, 3> residual(const Displacement<T>& at) const {
    return {at.u.x, at.u.y, at.turn};
  }
};

}  // namespace stillpoint
