// A revolute joint (hinge) about the z axes of two frames: their origins coincide, and their z axes are parallel.
//
//   Φ₁₋₃ = p_b − p_a                 (m)
//   Φ₄ = −y_a·z_b,  Φ₅ = x_a·z_b     (1; the sines of the tilt about x_a and y_a)
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

namespace space {

/// The sines of the tilt of the z axis of b about the x and y axes of a; zero where the z axes are parallel.
template <class T>
std::array<T, 2> tilt_of_axis(const Rotation<T>& R_a, const Rotation<T>& R_b) {
  const Vec3<T> z_b = z_axis(R_b);
  return {-dot(y_axis(R_a), z_b), dot(x_axis(R_a), z_b)};
}

struct Revolute {
  FrameOf a, b;

  static constexpr unsigned laws = Law::residual;
  static constexpr std::array row_names{".x", ".y", ".z", ".tilt_x", ".tilt_y"};
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }

  template <class T>
  std::array<T, 5> residual(const Frame<T>& f_a, const Frame<T>& f_b) const {
    const Vec3<T> d = f_b.p - f_a.p;
    const auto [tilt_x, tilt_y] = tilt_of_axis(f_a.R, f_b.R);
    return {d.x, d.y, d.z, tilt_x, tilt_y};
  }
};

}  // namespace space

}  // namespace stillpoint
