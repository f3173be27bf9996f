// A torque about the z axis of a hinge between two frames, on b with its reaction on a. An input scales it, if there is
// one.
//
//   V = −u τ φ,     φ = twist(R_aᵀ R_b)
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

namespace space {

struct Motor {
  OrientationOf a, b;
  double magnitude = 1;  ///< τ (N m per unit of the input)
  InputRef input{};      ///< u; 1 if absent

  static constexpr unsigned laws = Law::energy;
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }
  void state_units(UnitBook& book) const { book.input(input, magnitude, "N m"); }

  template <class T>
  T energy(const Rotation<T>& R_a, const Rotation<T>& R_b, const T& u) const {
    return (-magnitude * u) * twist(inverse(R_a) * R_b);
  }
};

}  // namespace space

}  // namespace stillpoint
