// A point stays on the z axis of a frame: a ball in a tube.
//
//   Φ₁ = x_a·(p − p_a),  Φ₂ = y_a·(p − p_a)      (m)
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

namespace space {

/// The distances of a point from the z axis of a frame, along its x and y axes.
template <class T>
std::array<T, 2> off_axis(const Frame<T>& a, const Vec3<T>& p) {
  const Vec3<T> d = p - a.p;
  return {dot(x_axis(a.R), d), dot(y_axis(a.R), d)};
}

struct PointOnLine {
  FrameOf line;
  PositionOf point;

  static constexpr unsigned laws = Law::residual;
  static constexpr std::array row_names{".x", ".y"};
  static const ElementInfo& info();
  auto places() const { return std::tuple(line, point); }

  template <class T>
  std::array<T, 2> residual(const Frame<T>& f_a, const Vec3<T>& p) const {
    return off_axis(f_a, p);
  }
};

}  // namespace space

}  // namespace stillpoint
