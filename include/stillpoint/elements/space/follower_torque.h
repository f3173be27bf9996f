// A torque that turns with the body it acts on. It has no potential, and its K is not symmetric. With an input it is
// scaled by the input's value.
//
//   τ = u R M,     R the orientation of the frame
#pragma once

#include "stillpoint/element_array.h"

namespace stillpoint {

namespace space {

struct FollowerTorque {
  OrientationOf at;
  Vec3<double> vector{unset, unset, unset};  ///< M (N m), in the axes of the frame
  InputRef input{};                          ///< u; the constant one if absent

  static constexpr unsigned laws = Law::forces;
  static const ElementInfo& info();
  auto places() const { return std::tuple(at); }

  template <class T>
  std::tuple<Vec3<T>> forces(const MovingOrientation<T>& at_place, const T& u) const {
    return {u * turned(at_place.R, vector)};
  }
};

}  // namespace space

extern template class ElementArray<space::FollowerTorque>;

}  // namespace stillpoint
