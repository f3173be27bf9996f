// A dead torque on an angle, with its reaction on another angle or on the ground: a motor. An input scales it, if there
// is one.
//
//   V = −u τ (φ_on − φ_against)
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

struct Torque {
  AngleOf on;
  AngleOf against{ground_marker};
  double magnitude = unset;  ///< τ (N m; N on a displacement)
  InputRef input{};          ///< u; 1 if absent

  static constexpr unsigned laws = Law::energy;
  static const ElementInfo& info();
  auto places() const { return std::tuple(on, against); }
  void state_units(UnitBook& book) const {
    book.input(input, magnitude, book.is_angle(on) && book.is_angle(against) ? "N m" : "");
  }

  template <class T>
  T energy(const T& phi_on, const T& phi_against, const T& u) const {
    return (-magnitude * u) * (phi_on - phi_against);
  }
};

}  // namespace stillpoint
