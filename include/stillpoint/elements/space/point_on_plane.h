// A point stays in the x-y plane of a frame.
//
//   Φ = z_a·(p − p_a)                (m)
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

namespace space {

struct PointOnPlane {
  FrameOf plane;
  PositionOf point;

  static constexpr unsigned laws = Law::residual;
  static constexpr std::array row_names{""};
  static const ElementInfo& info();
  auto places() const { return std::tuple(plane, point); }

  template <class T>
  std::array<T, 1> residual(const Frame<T>& f_a, const Vec3<T>& p) const {
    return {dot(z_axis(f_a.R), p - f_a.p)};
  }
};

}  // namespace space

}  // namespace stillpoint
