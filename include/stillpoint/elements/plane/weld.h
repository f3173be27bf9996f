// A weld: two frames coincide.
//
//   Φ = p_b − p_a,  φ_b − φ_a in [−π, π]      (m, m, rad)
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

struct Weld {
  FrameOf a, b;

  static constexpr unsigned laws = Law::residual;
  static constexpr std::array row_names{".x", ".y", ".angle"};
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }

  template <class T>
  std::array<T, 3> residual(const Frame<T>& f_a, const Frame<T>& f_b) const {
    const Vec2<T> d = f_b.p - f_a.p;
    return {d.x, d.y, wrap_angle(f_b.angle - f_a.angle)};
  }
};

}  // namespace stillpoint
