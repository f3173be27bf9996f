// A follower force, which rotates with the body it acts on (a thrust). It is nonconservative, and its K is unsymmetric.
// An input scales it, if there is one.
//
//   f = u A(φ) F,     A(φ) the rotation of the frame
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

struct FollowerForce {
  FrameOf at;
  Vec2<double> vector{unset, unset};  ///< F (N), in the axes of the frame
  InputRef input{};                   ///< u; 1 if absent

  static constexpr unsigned laws = Law::forces;
  static const ElementInfo& info();
  auto places() const { return std::tuple(at); }
  void state_units(UnitBook& book) const { book.input(input, length(vector), "N"); }

  template <class T>
  std::tuple<Wrench<T>> forces(const MovingFrame<T>& frame, const T& u) const {
    const Vec2<T> e = direction(frame.angle.value);
    const Vec2<T> force = vector.x * e + vector.y * perpendicular(e);
    return {Wrench<T>{u * force, T(0)}};
  }
};

}  // namespace stillpoint
