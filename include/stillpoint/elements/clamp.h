// Holds a node where it belongs in its floating frame: the frame follows the node, tangent there.
//
//   Φ = u_x, u_y (m), θ (rad)
#pragma once

#include "stillpoint/element_array.h"

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

extern template class ElementArray<Clamp>;

}  // namespace stillpoint
