// A rigid uniform rod between two points, in natural coordinates (the rods of paper 000, §4.1):
//
//   Φ = |p_b − p_a|² − l²,     inertia forces  m/6 (2 a_a + a_b),  m/6 (a_a + 2 a_b),     weight at the middle.
//
// The inertia is exact: velocities vary linearly along a rod whose length does not change.
#pragma once

#include "stillpoint/elements/distance.h"

namespace stillpoint {

struct Rod {
  PositionOf a, b;
  double length = unset;  ///< l (m)
  double mass = unset;    ///< m (kg), spread evenly

  static constexpr unsigned laws = Law::residual | Law::inertia | Law::weight;
  static constexpr std::array row_names{""};
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }

  template <class T>
  std::array<T, 1> residual(const Vec2<T>& p_a, const Vec2<T>& p_b) const {
    return {length_residual(p_a, p_b, length)};
  }

  template <class T>
  std::tuple<Vec2<T>, Vec2<T>> inertia(const MovingPoint<T>& at_a, const MovingPoint<T>& at_b) const {
    const double part = mass / 6;
    return {part * (2.0 * at_a.a + at_b.a), part * (at_a.a + 2.0 * at_b.a)};
  }

  template <class T>
  T weight(const Vec2<T>& p_a, const Vec2<T>& p_b, const Vec2<double>& gravity) const {
    return (-0.5 * mass) * dot(gravity, p_a + p_b);
  }
};

extern template class ElementArray<Rod>;

}  // namespace stillpoint
