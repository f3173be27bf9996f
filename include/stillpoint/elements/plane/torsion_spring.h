// A spring between two angles, with an optional damper; between scalar coordinates also a translational spring:
//
//   V = ½ k (φ_b − φ_a − φ₀)²,     torque of the damper  c (φ̇_b − φ̇_a)
//
// Full turns of the angles count.
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

struct TorsionSpring {
  AngleOf a, b;
  double stiffness = unset;  ///< k (N m/rad; N/m between displacements)
  double free_angle = 0;     ///< φ₀ (rad; m between displacements)
  double damping = 0;        ///< c (N m s/rad; N s/m between displacements)
  bool preload = false;      ///< the free state is what holds the mechanism at its guess

  static constexpr unsigned laws = Law::energy | Law::forces;
  static constexpr std::array measure_names{""};
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }
  std::string measure_unit(const UnitBook& book) const { return book.is_angle(a) && book.is_angle(b) ? "N m" : ""; }
  bool uses(unsigned law) const { return law != Law::forces || damping != 0; }

  template <class T>
  T energy(const T& phi_a, const T& phi_b) const {
    const T twist = phi_b - phi_a - free_angle;
    return (0.5 * stiffness) * (twist * twist);
  }

  template <class T>
  std::tuple<T, T> forces(const Moving<T>& at_a, const Moving<T>& at_b) const {
    const T torque = damping * (at_b.rate - at_a.rate);
    return {torque, -torque};
  }

  /// The torque that pulls b back towards a.
  template <class T>
  std::array<T, 1> measure(const Moving<T>& at_a, const Moving<T>& at_b) const {
    return {stiffness * (at_b.value - at_a.value - free_angle) + damping * (at_b.rate - at_a.rate)};
  }
};

}  // namespace stillpoint
