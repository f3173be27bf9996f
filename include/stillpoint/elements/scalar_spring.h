// A spring on the value of a coordinate, or between the values of two, with an optional damper. On the angle of a hinge
// full turns count.
//
//   V = ½ k (q_of − q_against − q₀)²,     force of the damper  c (q̇_of − q̇_against)
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

struct ScalarSpring {
  CoordinateOf of;
  CoordinateOf against{};    ///< absent: zero
  double stiffness = unset;  ///< k (N m/rad for angles, N/m for displacements)
  double free_value = 0;     ///< q₀ (rad or m)
  double damping = 0;        ///< c (N m s/rad or N s/m)
  bool preload = false;      ///< the free state is what holds the mechanism at its guess

  static constexpr unsigned laws = Law::energy | Law::forces;
  static constexpr std::array measure_names{""};
  static const ElementInfo& info();
  auto places() const { return std::tuple(of, against); }
  bool uses(unsigned law) const { return law != Law::forces || damping != 0; }

  template <class T>
  T energy(const T& q, const T& q_against) const {
    const T stretch = q - q_against - free_value;
    return (0.5 * stiffness) * (stretch * stretch);
  }

  template <class T>
  std::tuple<T, T> forces(const Moving<T>& q, const Moving<T>& q_against) const {
    const T pull = damping * (q.rate - q_against.rate);
    return {-pull, pull};
  }

  /// The force that pulls the coordinate back.
  template <class T>
  std::array<T, 1> measure(const Moving<T>& q, const Moving<T>& q_against) const {
    return {stiffness * (q.value - q_against.value - free_value) + damping * (q.rate - q_against.rate)};
  }
};

}  // namespace stillpoint
