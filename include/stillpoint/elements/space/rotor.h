// An axisymmetric rotor that spins at a constant speed relative to its body: a gyroscope, a disc on a shaft whose
// rotation is not modelled. The body has the mass and the moments of inertia of the rotor at rest; the spin adds the
// angular momentum h, which rotates with the body and needs the gyroscopic torque
//
//   τ = −ω × u R h,     R the orientation of the frame, ω its angular velocity
//
// The torque does no work, and makes C skew.
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

namespace space {

struct Rotor {
  OrientationOf on;
  Vec3<double> momentum{unset, unset, unset};  ///< h (N m s), in the axes of the frame
  InputRef input{};                            ///< u; 1 if absent

  static constexpr unsigned laws = Law::forces;
  static const ElementInfo& info();
  auto places() const { return std::tuple(on); }

  template <class T>
  std::tuple<Vec3<T>> forces(const MovingOrientation<T>& at_place, const T& u) const {
    return {u * cross(turned(at_place.R, momentum), at_place.omega)};
  }
};

}  // namespace space

}  // namespace stillpoint
