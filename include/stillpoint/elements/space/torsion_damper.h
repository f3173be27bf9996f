// A damper about the z axis of a hinge between two frames:
//
//   torque  c z_a·(ω_b − ω_a)  about z_a
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

namespace space {

/// The torques at both frames of a damper about the z axis of a.
template <class T>
std::tuple<Vec3<T>, Vec3<T>> axial_damper_torques(const MovingOrientation<T>& a, const MovingOrientation<T>& b,
                                                  double damping) {
  const Vec3<T> axis = z_axis(a.R);
  const Vec3<T> torque = (damping * dot(axis, b.omega - a.omega)) * axis;
  return {torque, -torque};
}

struct TorsionDamper {
  OrientationOf a, b;
  double damping = unset;  ///< c (N m s/rad)

  static constexpr unsigned laws = Law::forces;
  static constexpr std::array measure_names{""};
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }
  std::string measure_unit(const UnitBook&) const { return "N m"; }

  template <class T>
  std::tuple<Vec3<T>, Vec3<T>> forces(const MovingOrientation<T>& at_a, const MovingOrientation<T>& at_b) const {
    return axial_damper_torques(at_a, at_b, damping);
  }

  /// The torque about z_a that resists the motion of b.
  template <class T>
  std::array<T, 1> measure(const MovingOrientation<T>& at_a, const MovingOrientation<T>& at_b) const {
    return {damping * dot(z_axis(at_a.R), at_b.omega - at_a.omega)};
  }
};

}  // namespace space

}  // namespace stillpoint
