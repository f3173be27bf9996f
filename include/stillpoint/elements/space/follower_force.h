// A force that turns with the body it acts on (a thrust). It has no potential, and its K is not symmetric. With an
// input it is scaled by the input's value.
//
//   f = u R F,     R the orientation of the frame
#pragma once

#include "stillpoint/element_array.h"

namespace stillpoint {

namespace space {

struct FollowerForce {
  FrameOf at;
  Vec3<double> vector{unset, unset, unset};  ///< F (N), in the axes of the frame
  InputRef input{};                          ///< u; the constant one if absent

  static constexpr unsigned laws = Law::forces;
  static const ElementInfo& info();
  auto places() const { return std::tuple(at); }

  template <class T>
  std::tuple<Wrench<T>> forces(const MovingFrame<T>& frame, const T& u) const {
    return {Wrench<T>{u * turned(frame.R, vector), {}}};
  }
};

}  // namespace space

extern template class ElementArray<space::FollowerForce>;

}  // namespace stillpoint
