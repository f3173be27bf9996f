// A damper between two angles; between scalar coordinates also a translational damper:
//
//   torque  c (φ̇_b − φ̇_a)
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

struct TorsionDamper {
  AngleOf a, b;
  double damping = unset;  ///< c (N m s/rad; N s/m between displacements)

  static constexpr unsigned laws = Law::forces;
  static constexpr std::array measure_names{""};
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }
  std::string measure_unit(const UnitBook& book) const { return book.is_angle(a) && book.is_angle(b) ? "N m" : ""; }

  template <class T>
  std::tuple<T, T> forces(const Moving<T>& at_a, const Moving<T>& at_b) const {
    const T torque = damping * (at_b.rate - at_a.rate);
    return {torque, -torque};
  }

  /// The torque that resists the motion of b.
  template <class T>
  std::array<T, 1> measure(const Moving<T>& at_a, const Moving<T>& at_b) const {
    return {damping * (at_b.rate - at_a.rate)};
  }
};

}  // namespace stillpoint
