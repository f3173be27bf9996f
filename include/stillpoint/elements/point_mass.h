// A mass without extension, at a point or anywhere on a body:
//
//   inertia force  m a,     weight  −m g·p.
#pragma once

#include "stillpoint/element_array.h"

namespace stillpoint {

struct PointMass {
  PositionOf at;
  double mass = unset;  ///< m (kg)

  static constexpr unsigned laws = Law::inertia | Law::weight;
  static const ElementInfo& info();
  auto places() const { return std::tuple(at); }

  template <class T>
  std::tuple<Vec2<T>> inertia(const MovingPoint<T>& point) const {
    return {mass * point.a};
  }

  template <class T>
  T weight(const Vec2<T>& p, const Vec2<double>& gravity) const {
    return -mass * dot(gravity, p);
  }
};

extern template class ElementArray<PointMass>;

}  // namespace stillpoint
