// Rayleigh damping of beams, C = α M + β K [Rayleigh 1877].
//
// The forces of α M are inertia forces for accelerations of α times the velocities: a drag of the surroundings. The
// forces of β K depend on the rates of strain, so a rigid-body motion of the beam is not damped by them.
#pragma once

#include <tuple>

#include "stillpoint/authoring/element.h"
#include "stillpoint/authoring/space.h"

namespace stillpoint {

/// The field of an element for α and β.
template <auto damping>
Field rayleigh_field() {
  return field<damping>("damping", "1/s, s", "Rayleigh's α and β: C = α M + β K")
      .optional("0, 0")
      .must_be(Allowed::non_negative);
}

/// Tells whether a beam with this damping has a law, given whether it has mass and rotary inertia.
inline bool beam_uses(unsigned law, const Rayleigh& damping, bool has_mass, bool turns) {
  if (law == Law::energy) return true;
  if (law == Law::forces) return damping != Rayleigh{};
  return has_mass || (law == Law::inertia && turns);
}

/// The motion at rest in the same pose, with an acceleration of `times` the velocity.
template <class T>
MovingFrame<T> dragged(const MovingFrame<T>& frame, double times) {
  return {frame.p, {}, times * frame.v, {frame.angle.value, T(0), times * frame.angle.rate}};
}
template <class T>
MovingSegment<T> dragged(const MovingSegment<T>& at, double times) {
  return {dragged(at.frame, times), at.rest_a, at.rest_b, dragged(at.a, times), dragged(at.b, times)};
}

/// Subtracts the forces at each place.
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

/// The damping forces of α M at each place of an element for the given motions; zero if α is zero.
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
