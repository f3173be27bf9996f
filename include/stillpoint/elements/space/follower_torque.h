// A follower torque, which rotates with the body it acts on. It is nonconservative, and its K is unsymmetric. An input
// scales it, if there is one.
//
//   τ = u R M,     R the orientation of the frame
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

namespace space {

struct FollowerTorque {
  OrientationOf at;
  Vec3<double> vector{unset, unset, unset};  ///< M (N m), in the axes of the frame
  InputRef input{};                          ///< u; 1 if absent

  static constexpr unsigned laws = Law::forces;
  static const ElementInfo& info();
  auto places() const { return std::tuple(at); }
  void state_units(UnitBook& book) const { book.input(input, length(vector), "N m"); }

  template <class T>
  std::tuple<Vec3<T>> forces(const MovingOrientation<T>& at_place, const T& u) const {
    return {u * turned(at_place.R, vector)};
  }
};

}  // namespace space

}  // namespace stillpoint
