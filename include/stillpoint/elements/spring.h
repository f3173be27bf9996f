// A spring between two points, with a damper beside it if wanted:
//
//   V = ½ k (l − l₀)²,     tension of the damper  c l̇,     l = |p_b − p_a|
//
// With l₀ = 0 the energy is ½ k l², smooth where the points meet; otherwise a spring has no direction at l = 0.
#pragma once

#include "stillpoint/element_array.h"

namespace stillpoint {

/// The forces on both ends of a damper along the line between two points.
template <class T>
std::tuple<Vec2<T>, Vec2<T>> damper_forces(const MovingPoint<T>& a, const MovingPoint<T>& b, double damping) {
  const Vec2<T> d = b.p - a.p;
  // c l̇ e  =  c (d·ḋ) d / |d|²
  const Vec2<T> tension = ((damping * dot(d, b.v - a.v)) / dot(d, d)) * d;
  return {tension, -tension};
}

struct Spring {
  PositionOf a, b;
  double stiffness = unset;    ///< k (N/m)
  double free_length = unset;  ///< l₀ (m)
  double damping = 0;          ///< c (N s/m)

  static constexpr unsigned laws = Law::energy | Law::forces;
  static constexpr int variants = 2;
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }
  bool uses(unsigned law) const { return law != Law::forces || damping != 0; }
  int variant() const { return free_length == 0 ? 1 : 0; }

  template <class T>
  T energy(const Vec2<T>& p_a, const Vec2<T>& p_b) const {
    const Vec2<T> d = p_b - p_a;
    if (free_length == 0) return (0.5 * stiffness) * dot(d, d);
    const T stretch = length(d) - free_length;
    return (0.5 * stiffness) * (stretch * stretch);
  }

  template <class T>
  std::tuple<Vec2<T>, Vec2<T>> forces(const MovingPoint<T>& at_a, const MovingPoint<T>& at_b) const {
    return damper_forces(at_a, at_b, damping);
  }
};

extern template class ElementArray<Spring>;

}  // namespace stillpoint
