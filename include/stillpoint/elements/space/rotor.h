// A wheel on a body that spins at a constant speed against it, and is symmetric about its axis: a gyroscope, a disc on
// a shaft that is described without its rotation. Its mass and moments of inertia as of a wheel at rest are those of
// the body; what the spin adds is its angular momentum h, which the body turns:
//
//   τ = −ω × u R h,     R the orientation of the frame, ω its angular velocity
//
// The torque does no work, and makes C skew.
#pragma once

#include "stillpoint/element_array.h"

namespace stillpoint {

namespace space {

struct Rotor {
  OrientationOf on;
  Vec3<double> momentum{unset, unset, unset};  ///< h (N m s), in the axes of the frame
  InputRef input{};                            ///< u; the constant one if absent

  static constexpr unsigned laws = Law::forces;
  static const ElementInfo& info();
  auto places() const { return std::tuple(on); }

  template <class T>
  std::tuple<Vec3<T>> forces(const MovingOrientation<T>& at_place, const T& u) const {
    return {u * cross(turned(at_place.R, momentum), at_place.omega)};
  }
};

}  // namespace space

extern template class ElementArray<space::Rotor>;

}  // namespace stillpoint
