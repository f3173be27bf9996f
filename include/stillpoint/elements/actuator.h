// A cylinder between two points: pushes them apart with a force scaled by an input (negative: pulls).
//
//   V = −u F l,     l = |p_b − p_a|
#pragma once

#include "stillpoint/element_array.h"

namespace stillpoint {

struct Actuator {
  PositionOf a, b;
  double magnitude = 1;  ///< F (N per unit of the input)
  InputRef input;        ///< u

  static constexpr unsigned laws = Law::energy;
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }

  template <class T>
  T energy(const Vec2<T>& p_a, const Vec2<T>& p_b, const T& u) const {
    return (-magnitude * u) * length(p_b - p_a);
  }
};

extern template class ElementArray<Actuator>;

}  // namespace stillpoint
