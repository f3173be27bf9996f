// A constant-velocity joint: two shafts along the z axes of their frames meet in a point and rotate at the same speed
// at any bend angle.
//
//   Φ₁₋₃ = p_b − p_a                 (m)
//   Φ₄ = ½ (x_b·y_a − y_b·x_a)       (1; the sine of the twist between the shafts, times cos²(bend/2))
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

namespace space {

struct ConstantVelocity {
  FrameOf a, b;

  static constexpr unsigned laws = Law::residual;
  static constexpr std::array row_names{".x", ".y", ".z", ".twist"};
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }

  template <class T>
  std::array<T, 4> residual(const Frame<T>& f_a, const Frame<T>& f_b) const {
    const Vec3<T> d = f_b.p - f_a.p;
    return {d.x, d.y, d.z, 0.5 * (dot(x_axis(f_b.R), y_axis(f_a.R)) - dot(y_axis(f_b.R), x_axis(f_a.R)))};
  }
};

}  // namespace space

}  // namespace stillpoint
