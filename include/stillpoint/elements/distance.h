// A constant distance between two points, such as that of a massless rod:
//
//   Φ = |p_b − p_a|² − l²            (m²; its multiplier is half the rod's tension over its length)
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

/// The residual of every constant length. The squares make Φ quadratic in the coordinates of points.
template <class V>
ScalarOf<V> length_residual(const V& a, const V& b, double length) {
  const V d = b - a;
  return dot(d, d) - length * length;
}

template <class Place>
struct BasicDistance {
  Place a, b;
  double length = unset;  ///< l (m)

  static constexpr unsigned laws = Law::residual;
  static constexpr std::array row_names{""};
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }

  template <class V>
  auto residual(const V& p_a, const V& p_b) const {
    return std::array{length_residual(p_a, p_b, length)};
  }
};

using Distance = BasicDistance<PositionOf>;
namespace space {
using Distance = BasicDistance<PositionOf>;
}

}  // namespace stillpoint
