// A torque about the z axis of a hinge between two frames, on b and reacting on a. With an input it is scaled by its
// value.
//
//   V = −u τ φ,     φ = twist(R_aᵀ R_b)
#pragma once

#include "stillpoint/element_array.h"

namespace stillpoint {

namespace space {

struct Motor {
  OrientationOf a, b;
  double magnitude = 1;  ///< τ (N m per unit of the input)
  InputRef input{};      ///< u; the constant one if absent

  static constexpr unsigned laws = Law::energy;
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }

  template <class T>
  T energy(const Rotation<T>& R_a, const Rotation<T>& R_b, const T& u) const {
    return (-magnitude * u) * twist(inverse(R_a) * R_b);
  }
};

}  // namespace space

extern template class ElementArray<space::Motor>;

}  // namespace stillpoint
