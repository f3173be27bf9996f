// A dead torque: its axis is constant in the ground, however the body rotates. It has no potential, and its K is
// unsymmetric [Ziegler 1968]. An input scales it, if there is one.
//
//   τ = u M
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

namespace space {

struct Torque {
  OrientationOf at;
  Vec3<double> vector{unset, unset, unset};  ///< M (N m), in the axes of the ground
  InputRef input{};                          ///< u; 1 if absent

  static constexpr unsigned laws = Law::forces;
  static const ElementInfo& info();
  auto places() const { return std::tuple(at); }
  void state_units(UnitBook& book) const { book.input(input, length(vector), "N m"); }

  template <class T>
  std::tuple<Vec3<T>> forces(const MovingOrientation<T>&, const T& u) const {
    return {u * constant<T>(vector)};
  }
};

}  // namespace space

}  // namespace stillpoint
