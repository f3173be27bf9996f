// A cylinder (linear actuator) between two points. It pushes them apart with a force that an input scales:
//
//   V = −u F l,     l = |p_b − p_a|
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

template <class Place>
struct BasicActuator {
  Place a, b;
  double magnitude = 1;  ///< F (N per unit of the input)
  InputRef input;        ///< u

  static constexpr unsigned laws = Law::energy;
  static constexpr std::array measure_names{""};
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }
  void state_units(UnitBook& book) const { book.input(input, magnitude, "N"); }
  std::string measure_unit(const UnitBook&) const { return "N"; }

  template <class V, class T>
  T energy(const V& p_a, const V& p_b, const T& u) const {
    return (-magnitude * u) * length(p_b - p_a);
  }

  /// The tension; it is negative where the actuator pushes.
  template <class Moving, class T>
  auto measure(const Moving&, const Moving&, const T& u) const {
    return std::array{(-magnitude) * u};
  }
};

using Actuator = BasicActuator<PositionOf>;
namespace space {
using Actuator = BasicActuator<PositionOf>;
}

}  // namespace stillpoint
