// Makes a scalar the angle of a hinge, so that springs, motors, gears and prescribed motion can act on it:
//
//   Φ = φ − twist(R_aᵀ R_b), brought into [−π, π]      (rad)
//
// The twist is the angle about z that is left of a rotation when the tilt of the z axis is taken away; in a hinge there
// is no tilt. The scalar counts full turns.
#pragma once

#include "stillpoint/element_array.h"

namespace stillpoint {

namespace space {

struct Angle {
  CoordinateOf angle;
  OrientationOf a, b;

  static constexpr unsigned laws = Law::residual;
  static constexpr std::array row_names{""};
  static const ElementInfo& info();
  auto places() const { return std::tuple(angle, a, b); }

  template <class T>
  std::array<T, 1> residual(const T& phi, const Rotation<T>& R_a, const Rotation<T>& R_b) const {
    return {wrap_angle(phi - twist(inverse(R_a) * R_b))};
  }
};

}  // namespace space

extern template class ElementArray<space::Angle>;

}  // namespace stillpoint
