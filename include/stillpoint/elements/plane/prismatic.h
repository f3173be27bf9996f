// A prismatic joint: frame b slides along the x axis of frame a and does not rotate relative to it.
//
//   Φ₁ = e_a × (p_b − p_a)           (m; e_a the unit vector along the rail)
//   Φ₂ = φ_b − φ_a in [−π, π]        (rad)
#pragma once

#include "stillpoint/elements/plane/slider.h"

namespace stillpoint {

struct Prismatic {
  FrameOf a, b;

  static constexpr unsigned laws = Law::residual;
  static constexpr std::array row_names{".across", ".angle"};
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }

  template <class T>
  std::array<T, 2> residual(const Frame<T>& f_a, const Frame<T>& f_b) const {
    return {off_line(f_a, f_b.p), wrap_angle(f_b.angle - f_a.angle)};
  }
};

}  // namespace stillpoint
