// Inertia forces in a frame that rotates with a constant angular velocity Ω about its origin, theory (2.2). An element
// states its inertia for motions relative to an inertial frame; these are
//
//   v + Ω × p,   a + 2 Ω × v + Ω × (Ω × p),   ω + Ω,   α + Ω × ω
//
// The forces beyond those of v, a, ω, α are the centrifugal and the Coriolis force, for a rigid body with their
// moments, exactly. The centrifugal force has a potential and makes K symmetric; the Coriolis force does no work and
// makes C skew. In the plane Ω is normal to it.
#pragma once

#include "stillpoint/elements/plane/beam.h"
#include "stillpoint/elements/plane/floating_beam.h"
#include "stillpoint/elements/plane/rigid_mass.h"
#include "stillpoint/elements/point_mass.h"
#include "stillpoint/elements/rod.h"
#include "stillpoint/elements/space/beam.h"
#include "stillpoint/elements/space/rigid_mass.h"
#include "stillpoint/elements/space/rotor.h"

namespace stillpoint {

/// A motion in the rotating frame as a motion relative to an inertial frame, in the axes of the rotating frame.
template <class T>
MovingPoint<T> seen_from_rest(const MovingPoint<T>& point, const Vec3<double>& spin) {
  const double w = spin.z;
  return {point.p, point.v + w * perpendicular(point.p),
          point.a + (2 * w) * perpendicular(point.v) - (w * w) * point.p};
}
template <class T>
MovingFrame<T> seen_from_rest(const MovingFrame<T>& frame, const Vec3<double>& spin) {
  const MovingPoint<T> origin = seen_from_rest(MovingPoint<T>{frame.p, frame.v, frame.a}, spin);
  const Moving<T>& angle = frame.angle;
  return {origin.p, origin.v, origin.a, {angle.value, angle.rate + spin.z, angle.acceleration}};
}
/// The motion of nodes stays relative to their floating frame.
template <class T>
MovingSegment<T> seen_from_rest(const MovingSegment<T>& at, const Vec3<double>& spin) {
  return {seen_from_rest(at.frame, spin), at.rest_a, at.rest_b, at.a, at.b};
}

inline void subtract(auto& from, const auto& what) { from = from - what; }

namespace space {

template <class T>
MovingPoint<T> seen_from_rest(const MovingPoint<T>& point, const Vec3<double>& spin) {
  const Vec3<T> w = constant<T>(spin), carried = cross(w, point.p);
  return {point.p, point.v + carried, point.a + 2.0 * cross(w, point.v) + cross(w, carried)};
}
template <class T>
MovingFrame<T> seen_from_rest(const MovingFrame<T>& frame, const Vec3<double>& spin) {
  const MovingPoint<T> origin = seen_from_rest(MovingPoint<T>{frame.p, frame.v, frame.a}, spin);
  const Vec3<T> w = constant<T>(spin);
  return {origin.p, origin.v, origin.a, frame.R, frame.omega + w, frame.alpha + cross(w, frame.omega)};
}

}  // namespace space

/// The centrifugal and Coriolis forces of an element with inertia.
template <class Element>
struct InRotatingFrame {
  Element element;
  Vec3<double> spin{};  ///< Ω (rad/s), in the axes of the frame

  static constexpr unsigned laws = Law::forces;
  static const ElementInfo& info();
  auto places() const { return element.places(); }
  bool uses(unsigned law) const {
    if constexpr (requires { element.uses(law); }) return law == Law::forces && element.uses(Law::inertia);
    return law == Law::forces;
  }

  template <class... Motions>
  auto forces(const Motions&... at) const {
    auto on = element.inertia(at...);
    const auto from_rest = element.inertia(seen_from_rest(at, spin)...);
    [&]<std::size_t... k>(std::index_sequence<k...>) { (subtract(std::get<k>(on), std::get<k>(from_rest)), ...); }
    (std::index_sequence_for<Motions...>());
    return on;
  }
};

namespace space {

/// The angular momentum of a rotor in a rotating frame: the additional torque has a potential,
///
///   V = −Ω · u R h,     τ = −Ω × u R h
struct RotorInRotatingFrame {
  OrientationOf on;
  Vec3<double> momentum{}, spin{};  ///< h, in the axes of its frame; Ω
  InputRef input{};

  static constexpr unsigned laws = Law::energy;
  static const ElementInfo& info();
  auto places() const { return std::tuple(on); }

  template <class T>
  T energy(const Rotation<T>& R, const T& u) const {
    return -u * dot(spin, turned(R, momentum));
  }
};

}  // namespace space

}  // namespace stillpoint
