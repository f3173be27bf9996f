// Makes a scalar the travel along an axis, so that springs, actuators, racks and prescribed motion can act on it:
//
//   Φ = s − z_a·(p − p_a)            (m)
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

namespace space {

struct Travel {
  CoordinateOf travel;
  FrameOf axis;
  PositionOf point;

  static constexpr unsigned laws = Law::residual;
  static constexpr std::array row_names{""};
  static const ElementInfo& info();
  auto places() const { return std::tuple(travel, axis, point); }
  void state_units(UnitBook& book) const { book.coordinate(travel, "m"); }

  template <class T>
  std::array<T, 1> residual(const T& s, const Frame<T>& f_a, const Vec3<T>& p) const {
    return {s - dot(z_axis(f_a.R), p - f_a.p)};
  }
};

}  // namespace space

}  // namespace stillpoint
