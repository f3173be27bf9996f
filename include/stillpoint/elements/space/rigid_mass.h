// The mass of a rigid body in space, given at its centre of mass, which may be anywhere on the body:
//
//   inertia force  m a_c,     inertia torque  R (I α + ω × I ω)  in the axes of the frame,     weight  −m g·p_c.
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

namespace space {

inline auto times(const Inertia& I, const auto& v) {
  using V = std::decay_t<decltype(v)>;
  return V{I.xx * v.x + I.xy * v.y + I.xz * v.z, I.xy * v.x + I.yy * v.y + I.yz * v.z,
           I.xz * v.x + I.yz * v.y + I.zz * v.z};
}

/// The principal moments of inertia (kg m²), ascending.
std::array<double, 3> principal_moments(const Inertia& I);

struct RigidMass {
  FrameOf centre;
  double mass = unset;             ///< m (kg)
  Inertia inertia_about_centre{};  ///< I, in the axes of the frame (kg m²)

  static constexpr unsigned laws = Law::inertia | Law::weight;
  static const ElementInfo& info();
  const char* problem() const;
  auto places() const { return std::tuple(centre); }

  template <class T>
  std::tuple<Wrench<T>> inertia(const MovingFrame<T>& c) const {
    const Vec3<T> omega = turned_back(c.R, c.omega), alpha = turned_back(c.R, c.alpha);
    const Vec3<T> torque = times(inertia_about_centre, alpha) + cross(omega, times(inertia_about_centre, omega));
    return {Wrench<T>{mass * c.a, turned(c.R, torque)}};
  }

  template <class T>
  T weight(const Frame<T>& c, const Vec3<double>& gravity) const {
    return -mass * dot(gravity, c.p);
  }
};

}  // namespace space

}  // namespace stillpoint
