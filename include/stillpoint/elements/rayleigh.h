// Rayleigh's damping of beams: C = α M + β K.
//
// The part with M acts as the inertia would if the accelerations were α times the velocities: a drag by what surrounds
// the beam. That with K acts on the rates of strain, so a beam that moves as a rigid body feels nothing of it.
#pragma once

#include "stillpoint/field.h"
#include "stillpoint/space.h"

namespace stillpoint {

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

}  // namespace stillpoint
