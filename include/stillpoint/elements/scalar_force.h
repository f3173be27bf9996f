// A constant force on a coordinate, or a torque if the coordinate is an angle, with its reaction on another coordinate
// if there is one. An input scales it, if there is one.
//
//   V = −u f (q_on − q_against)
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

struct ScalarForce {
  CoordinateOf on;
  CoordinateOf against{};    ///< absent: the ground
  double magnitude = unset;  ///< f (N, or N m on an angle)
  InputRef input{};          ///< u; 1 if absent

  static constexpr unsigned laws = Law::energy;
  static const ElementInfo& info();
  auto places() const { return std::tuple(on, against); }
  void state_units(UnitBook& book) const { book.input(input, magnitude, book.of_force(on)); }

  template <class T>
  T energy(const T& q, const T& q_against, const T& u) const {
    return (-magnitude * u) * (q - q_against);
  }
};

}  // namespace stillpoint
