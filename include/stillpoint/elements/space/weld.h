// A weld: two frames coincide.
//
//   Φ₁₋₃ = p_b − p_a                 (m)
//   Φ₄₋₆ = 2 sin(α/2) e              (1; e and α the axis and angle of the rotation from a to b)
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

namespace space {

struct Weld {
  FrameOf a, b;

  static constexpr unsigned laws = Law::residual;
  static constexpr std::array row_names{".x", ".y", ".z", ".rx", ".ry", ".rz"};
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }

  template <class T>
  std::array<T, 6> residual(const Frame<T>& f_a, const Frame<T>& f_b) const {
    const Vec3<T> d = f_b.p - f_a.p;
    const Vec3<T> turn = half_sine_vector(inverse(f_a.R) * f_b.R);
    return {d.x, d.y, d.z, turn.x, turn.y, turn.z};
  }
};

}  // namespace space

}  // namespace stillpoint
