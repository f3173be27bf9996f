// A constant force on a coordinate, or a torque if the coordinate is an angle, reacting on another if there is one.
// With an input it is scaled by the input's value.
//
//   V = −u f (q_on − q_against)
#pragma once

#include "stillpoint/element_array.h"

namespace stillpoint {

struct ScalarForce {
  CoordinateOf on;
  CoordinateOf against{};    ///< absent: the ground
  double magnitude = unset;  ///< f (N, or N m on an angle)
  InputRef input{};          ///< u; the constant one if absent

  static constexpr unsigned laws = Law::energy;
  static const ElementInfo& info();
  auto places() const { return std::tuple(on, against); }

  template <class T>
  T energy(const T& q, const T& q_against, const T& u) const {
    return (-magnitude * u) * (q - q_against);
  }
};

extern template class ElementArray<ScalarForce>;

}  // namespace stillpoint
