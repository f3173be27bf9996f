// A dead torque on an angle, reacting on another (or on the ground): a motor. With an input it is scaled by its value.
//
//   V = −u τ (φ_on − φ_against)
#pragma once

#include "stillpoint/element_array.h"

namespace stillpoint {

struct Torque {
  AngleOf on;
  AngleOf against{ground_marker};
  double magnitude = unset;  ///< τ (N m; N on a displacement)
  InputRef input{};          ///< u; the constant one if absent

  static constexpr unsigned laws = Law::energy;
  static const ElementInfo& info();
  auto places() const { return std::tuple(on, against); }

  template <class T>
  T energy(const T& phi_on, const T& phi_against, const T& u) const {
    return (-magnitude * u) * (phi_on - phi_against);
  }
};

extern template class ElementArray<Torque>;

}  // namespace stillpoint
