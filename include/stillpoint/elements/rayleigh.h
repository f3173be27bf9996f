// Rayleigh's damping of beams: C = α M + β K.
//
// The part with M acts as the inertia would if the accelerations were α times the velocities: a drag by what surrounds
// the beam. That with K acts on the rates of strain, so a beam that moves as a rigid body feels nothing of it.
#pragma once

#include <tuple>

#include "stillpoint/element.h"
#include "stillpoint/space.h"

namespace stillpoint {

/// What an element says of its α and β.
template <auto damping>
Field rayleigh_field() {
  return field<damping>("damping", "1/s, s", "Rayleigh's α and β: C = α M + β K")
      .optional("0, 0")
      .must_be(Allowed::non_negative);
}

/// Which laws a beam with such damping has, if it has a mass and if that turns.
inline bool beam_uses(unsigned law, const Rayleigh& damping, bool has_mass, bool turns) {
  if (law == Law::energy) return true;
  if (law == Law::forces) return damping != Rayleigh{};
  return has_mass || (law == Law::inertia && turns);
}

/// At rest where it is, accelerated by so many times its velocity.
template <class T>
MovingFrame<T> dragged(const MovingFrame<T>& frame, double times) {
  return {frame.p, {}, times * frame.v, {frame.angle.value, T(0), times * frame.angle.rate}};
}
template <class T>
MovingSegment<T> dragged(const MovingSegment<T>& at, double times) {
  return {dragged(at.frame, times), at.rest_a, at.rest_b, dragged(at.a, times), dragged(at.b, times)};
}

/// Takes away a force, place by place.
template <class T>
void subtract(Wrench<T>& from, const Wrench<T>& what) {
  from.force += -what.force;
  from.torque += -what.torque;
}
template <class T>
void subtract(SegmentForce<T>& from, const SegmentForce<T>& what) {
  subtract(from.frame, what.frame);
  subtract(from.a, what.a);
  subtract(from.b, what.b);
}

namespace space {

template <class T>
MovingFrame<T> dragged(const MovingFrame<T>& frame, double times) {
  return {frame.p, {}, times * frame.v, frame.R, {}, times * frame.omega};
}

template <class T>
void subtract(Wrench<T>& from, const Wrench<T>& what) {
  from.force += -what.force;
  from.torque += -what.torque;
}

}  // namespace space

/// The part with M at each of an element's places, given how they move; nothing without α.
template <class Element, class... Motions>
auto drag_on(const Element& element, const Motions&... at) {
  decltype(element.inertia(at...)) on{};
  const double alpha = element.damping.mass;
  if (alpha == 0) return on;
  const auto inertia = element.inertia(dragged(at, alpha)...);
  [&]<std::size_t... k>(std::index_sequence<k...>) { (subtract(std::get<k>(on), std::get<k>(inertia)), ...); }
  (std::index_sequence_for<Motions...>());
  return on;
}

}  // namespace stillpoint
