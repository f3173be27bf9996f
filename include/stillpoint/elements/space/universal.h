// A universal joint (Cardan joint): the origins of two frames coincide, and the x axis of a stays perpendicular to the
// y axis of b. These two axes are the cross; z_a and z_b are the shafts.
//
//   Φ₁₋₃ = p_b − p_a                 (m)
//   Φ₄ = x_a·y_b                     (1)
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

namespace space {

struct Universal {
  FrameOf a, b;

  static constexpr unsigned laws = Law::residual;
  static constexpr std::array row_names{".x", ".y", ".z", ".cross"};
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }

  template <class T>
  std::array<T, 4> residual(const Frame<T>& f_a, const Frame<T>& f_b) const {
    const Vec3<T> d = f_b.p - f_a.p;
    return {d.x, d.y, d.z, dot(x_axis(f_a.R), y_axis(f_b.R))};
  }
};

}  // namespace space

}  // namespace stillpoint
