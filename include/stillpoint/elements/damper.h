// A damper between two points:
//
//   tension  c l̇,     l = |p_b − p_a|
#pragma once

#include "stillpoint/elements/spring.h"

namespace stillpoint {

struct Damper {
  PositionOf a, b;
  double damping = unset;  ///< c (N s/m)

  static constexpr unsigned laws = Law::forces;
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }

  template <class T>
  std::tuple<Vec2<T>, Vec2<T>> forces(const MovingPoint<T>& at_a, const MovingPoint<T>& at_b) const {
    return damper_forces(at_a, at_b, damping);
  }
};

extern template class ElementArray<Damper>;

}  // namespace stillpoint
