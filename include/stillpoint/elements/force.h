// A dead force: constant in direction, wherever its point moves. With an input it is scaled by the input's value.
//
//   V = −u F·p
#pragma once

#include "stillpoint/element_array.h"

namespace stillpoint {

struct Force {
  PositionOf at;
  Vec2<double> vector{unset, unset};  ///< F (N), in the axes of the ground
  InputRef input{};                   ///< u; the constant one if absent

  static constexpr unsigned laws = Law::energy;
  static const ElementInfo& info();
  auto places() const { return std::tuple(at); }

  template <class T>
  T energy(const Vec2<T>& p, const T& u) const {
    return -u * dot(vector, p);
  }
};

extern template class ElementArray<Force>;

}  // namespace stillpoint
