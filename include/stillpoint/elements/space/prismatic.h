// A prismatic joint: frame b slides along the z axis of frame a and does not rotate relative to it.
//
//   Φ₁ = x_a·d,  Φ₂ = y_a·d          (m; d = p_b − p_a)
//   Φ₃₋₅ = 2 sin(α/2) e              (1; e and α the axis and angle of the rotation from a to b)
#pragma once

#include "stillpoint/elements/space/point_on_line.h"

namespace stillpoint {

namespace space {

struct Prismatic {
  FrameOf a, b;

  static constexpr unsigned laws = Law::residual;
  static constexpr std::array row_names{".x", ".y", ".rx", ".ry", ".rz"};
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }

  template <class T>
  std::array<T, 5> residual(const Frame<T>& f_a, const Frame<T>& f_b) const {
    const auto [x, y] = off_axis(f_a, f_b.p);
    const Vec3<T> turn = half_sine_vector(inverse(f_a.R) * f_b.R);
    return {x, y, turn.x, turn.y, turn.z};
  }
};

}  // namespace space

}  // namespace stillpoint
