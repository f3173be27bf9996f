// A force that turns with the body it acts on (a thrust). It has no potential, and its K is not symmetric.
// With an input it is scaled by the input's value.
//
//   f = u A(φ) F,     A(φ) the rotation of the frame
#pragma once

#include "stillpoint/element_array.h"

namespace stillpoint {

struct FollowerForce {
  FrameOf at;
  Vec2<double> vector{unset, unset};  ///< F (N), in the axes of the frame
  InputRef input{};                   ///< u; the constant one if absent

  static constexpr unsigned laws = Law::forces;
  static const ElementInfo& info();
  auto places() const { return std::tuple(at); }

  template <class T>
  std::tuple<Wrench<T>> forces(const MovingFrame<T>& frame, const T& u) const {
    const Vec2<T> e = direction(frame.angle.value);
    const Vec2<T> force = vector.x * e + vector.y * perpendicular(e);
    return {Wrench<T>{u * force, T(0)}};
  }
};

extern template class ElementArray<FollowerForce>;

}  // namespace stillpoint
