// A planar joint: the origin of frame b stays in the x-y plane of frame a, and their z axes stay parallel.
//
//   Φ₁ = z_a·(p_b − p_a)             (m)
//   Φ₂ = −y_a·z_b,  Φ₃ = x_a·z_b     (1)
#pragma once

#include "stillpoint/elements/space/revolute.h"

namespace stillpoint {

namespace space {

struct Planar {
  FrameOf a, b;

  static constexpr unsigned laws = Law::residual;
  static constexpr std::array row_names{".z", ".tilt_x", ".tilt_y"};
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }

  template <class T>
  std::array<T, 3> residual(const Frame<T>& f_a, const Frame<T>& f_b) const {
    const auto [tilt_x, tilt_y] = tilt_of_axis(f_a.R, f_b.R);
    return {dot(z_axis(f_a.R), f_b.p - f_a.p), tilt_x, tilt_y};
  }
};

}  // namespace space

}  // namespace stillpoint
