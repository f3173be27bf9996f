// A follower force, which rotates with the body it acts on (a thrust). It is nonconservative, and its K is unsymmetric.
// An input scales it, if there is one.
//
//   f = u R F,     R the orientation of the frame
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

namespace space {

struct FollowerForce {
  FrameOf at;
  Vec3<double> vector{unset, unset, unset};  ///< F (N), in the axes of the frame
  InputRef input{};                          ///< u; 1 if absent

  static constexpr unsigned laws = Law::forces;
  static const ElementInfo& info();
  auto places() const { return std::tuple(at); }
  void state_units(UnitBook& book) const { book.input(input, length(vector), "N"); }

  template <class T>
  std::tuple<Wrench<T>> forces(const MovingFrame<T>& frame, const T& u) const {
    return {Wrench<T>{u * turned(frame.R, vector), {}}};
  }
};

}  // namespace space

}  // namespace stillpoint
