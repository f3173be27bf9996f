// A revolute joint (pin): two points coincide.
//
//   Φ = p_b − p_a                    (m, m; the multipliers are the force that the pin exerts on a, negated on b)
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

struct Revolute {
  PositionOf a, b;

  static constexpr unsigned laws = Law::residual;
  static constexpr std::array row_names{".x", ".y"};
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }

  template <class T>
  std::array<T, 2> residual(const Vec2<T>& p_a, const Vec2<T>& p_b) const {
    const Vec2<T> d = p_b - p_a;
    return {d.x, d.y};
  }
};

}  // namespace stillpoint
