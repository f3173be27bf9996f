// The mass of a rigid body in the plane, given at its centre of mass, which may be anywhere on the body:
//
//   inertia forces  m a_c,  I φ̈,     weight  −m g·p_c.
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

struct RigidMass {
  FrameOf centre;
  double mass = unset;  ///< m (kg)
  double moment = 0;    ///< I about the centre of mass (kg m²)

  static constexpr unsigned laws = Law::inertia | Law::weight;
  static const ElementInfo& info();
  auto places() const { return std::tuple(centre); }

  template <class T>
  std::tuple<Wrench<T>> inertia(const MovingFrame<T>& c) const {
    return {Wrench<T>{mass * c.a, moment * c.angle.acceleration}};
  }

  template <class T>
  T weight(const Frame<T>& c, const Vec2<double>& gravity) const {
    return -mass * dot(gravity, c.p);
  }
};

}  // namespace stillpoint
