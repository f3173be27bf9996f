// A cylindrical joint, a hinge that may also slide: the z axes of two frames stay on one line.
//
//   Φ₁ = x_a·d,  Φ₂ = y_a·d          (m; d = p_b − p_a)
//   Φ₃ = −y_a·z_b,  Φ₄ = x_a·z_b     (1)
#pragma once

#include "stillpoint/elements/space/point_on_line.h"
#include "stillpoint/elements/space/revolute.h"

namespace stillpoint {

namespace space {

struct Cylindrical {
  FrameOf a, b;

  static constexpr unsigned laws = Law::residual;
  static constexpr std::array row_names{".x", ".y", ".tilt_x", ".tilt_y"};
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }

  template <class T>
  std::array<T, 4> residual(const Frame<T>& f_a, const Frame<T>& f_b) const {
    const auto [x, y] = off_axis(f_a, f_b.p);
    const auto [tilt_x, tilt_y] = tilt_of_axis(f_a.R, f_b.R);
    return {x, y, tilt_x, tilt_y};
  }
};

}  // namespace space

}  // namespace stillpoint
