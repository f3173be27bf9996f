// A dead torque: constant in the axes of the ground, however the body turns. It has no potential, and its K is not
// symmetric. With an input it is scaled by the input's value.
//
//   τ = u M
#pragma once

#include "stillpoint/element_array.h"

namespace stillpoint {

namespace space {

struct Torque {
  OrientationOf at;
  Vec3<double> vector{unset, unset, unset};  ///< M (N m), in the axes of the ground
  InputRef input{};                          ///< u; the constant one if absent

  static constexpr unsigned laws = Law::forces;
  static const ElementInfo& info();
  auto places() const { return std::tuple(at); }

  template <class T>
  std::tuple<Vec3<T>> forces(const MovingOrientation<T>&, const T& u) const {
    return {u * constant<T>(vector)};
  }
};

}  // namespace space

extern template class ElementArray<space::Torque>;

}  // namespace stillpoint
