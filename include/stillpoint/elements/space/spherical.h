// A spherical joint (ball joint): two points coincide.
//
//   Φ = p_b − p_a                    (m; the multipliers are the force that the joint exerts on a, negated on b)
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

namespace space {

struct Spherical {
  PositionOf a, b;

  static constexpr unsigned laws = Law::residual;
  static constexpr std::array row_names{".x", ".y", ".z"};
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }

  template <class T>
  std::array<T, 3> residual(const Vec3<T>& p_a, const Vec3<T>& p_b) const {
    const Vec3<T> d = p_b - p_a;
    return {d.x, d.y, d.z};
  }
};

}  // namespace space

}  // namespace stillpoint
