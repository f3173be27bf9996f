// Makes a scalar the angle of a hinge, so that springs, motors, gears and prescribed motion can act on it:
//
//   Φ = φ − twist(R_aᵀ R_b), brought into [−π, π]      (rad)
//
// The twist of a rotation is its angle about z after the shortest rotation that tilts the z axis has been removed; in a
// hinge there is no tilt. The scalar counts full turns.
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

namespace space {

struct Angle {
  CoordinateOf angle;
  OrientationOf a, b;

  static constexpr unsigned laws = Law::residual;
  static constexpr std::array row_names{""};
  static const ElementInfo& info();
  auto places() const { return std::tuple(angle, a, b); }
  void state_units(UnitBook& book) const { book.coordinate(angle, "rad"); }

  template <class T>
  std::array<T, 1> residual(const T& phi, const Rotation<T>& R_a, const Rotation<T>& R_b) const {
    return {wrap_angle(phi - twist(inverse(R_a) * R_b))};
  }
};

}  // namespace space

}  // namespace stillpoint
