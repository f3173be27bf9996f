// A spring between two points, with an optional damper:
//
//   V = ½ k (l − l₀)²,     tension of the damper  c l̇,     l = |p_b − p_a|
//
// With l₀ = 0 the energy ½ k l² is smooth where the points coincide; otherwise the spring has no direction at l = 0.
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

/// The forces on both ends of a damper along the line between two points.
template <class Moving>
auto damper_forces(const Moving& a, const Moving& b, double damping) {
  const auto d = b.p - a.p;
  // c l̇ e  =  c (d·ḋ) d / |d|²
  const auto tension = ((damping * dot(d, b.v - a.v)) / dot(d, d)) * d;
  return std::tuple(tension, -tension);
}

/// The rate of the distance of two points.
template <class Moving>
auto rate_of_length(const Moving& a, const Moving& b) {
  const auto d = b.p - a.p;
  return dot(d, b.v - a.v) / length(d);
}

template <class Place>
struct BasicSpring {
  Place a, b;
  double stiffness = unset;    ///< k (N/m)
  double free_length = unset;  ///< l₀ (m)
  double damping = 0;          ///< c (N s/m)
  bool preload = false;        ///< l₀ is what holds the mechanism at its guess

  static constexpr unsigned laws = Law::energy | Law::forces;
  static constexpr int variants = 2;
  static constexpr std::array measure_names{""};
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }
  std::string measure_unit(const UnitBook&) const { return "N"; }
  bool uses(unsigned law) const { return law != Law::forces || damping != 0; }
  int variant() const { return free_length == 0 ? 1 : 0; }

  template <class V>
  ScalarOf<V> energy(const V& p_a, const V& p_b) const {
    const V d = p_b - p_a;
    if (free_length == 0) return (0.5 * stiffness) * dot(d, d);
    const auto stretch = length(d) - free_length;
    return (0.5 * stiffness) * (stretch * stretch);
  }

  template <class Moving>
  auto forces(const Moving& at_a, const Moving& at_b) const {
    return damper_forces(at_a, at_b, damping);
  }

  /// The tension, positive where the spring pulls.
  template <class Moving>
  auto measure(const Moving& at_a, const Moving& at_b) const {
    const auto spring = stiffness * (length(at_b.p - at_a.p) - free_length);
    return std::array{damping == 0 ? spring : spring + damping * rate_of_length(at_a, at_b)};
  }
};

using Spring = BasicSpring<PositionOf>;
namespace space {
using Spring = BasicSpring<PositionOf>;
}

}  // namespace stillpoint
