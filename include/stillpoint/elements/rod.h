// A rigid uniform rod between two points, in natural coordinates [García de Jalón & Bayo 1994], [González 2017] §4.1:
//
//   Φ = |p_b − p_a|² − l²,     inertia forces  m/6 (2 a_a + a_b),  m/6 (a_a + 2 a_b),     weight at the middle.
//
// The inertia is exact: velocities vary linearly along a rod whose length does not change.
#pragma once

#include "stillpoint/elements/distance.h"

namespace stillpoint {

template <class Place>
struct BasicRod {
  Place a, b;
  double length = unset;  ///< l (m)
  double mass = unset;    ///< m (kg), uniformly distributed

  static constexpr unsigned laws = Law::residual | Law::inertia | Law::weight;
  static constexpr std::array row_names{""};
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }

  template <class V>
  auto residual(const V& p_a, const V& p_b) const {
    return std::array{length_residual(p_a, p_b, length)};
  }

  template <class Moving>
  auto inertia(const Moving& at_a, const Moving& at_b) const {
    const double part = mass / 6;
    return std::tuple(part * (2.0 * at_a.a + at_b.a), part * (at_a.a + 2.0 * at_b.a));
  }

  template <class V, class G>
  ScalarOf<V> weight(const V& p_a, const V& p_b, const G& gravity) const {
    return (-0.5 * mass) * dot(gravity, p_a + p_b);
  }
};

using Rod = BasicRod<PositionOf>;
namespace space {
using Rod = BasicRod<PositionOf>;
}

}  // namespace stillpoint
