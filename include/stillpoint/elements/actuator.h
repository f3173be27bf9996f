// A cylinder between two points: pushes them apart with a force scaled by an input (negative: pulls).
//
//   V = −u F l,     l = |p_b − p_a|
#pragma once

#include "stillpoint/element_array.h"

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

  template <class V, class T>
  T energy(const V& p_a, const V& p_b, const T& u) const {
    return (-magnitude * u) * length(p_b - p_a);
  }

  /// The tension: negative where it pushes.
  template <class Moving, class T>
  auto measure(const Moving&, const Moving&, const T& u) const {
    return std::array{(-magnitude) * u};
  }
};

using Actuator = BasicActuator<PositionOf>;
namespace space {
using Actuator = BasicActuator<PositionOf>;
}

extern template class ElementArray<Actuator>;
extern template class ElementArray<space::Actuator>;

}  // namespace stillpoint
