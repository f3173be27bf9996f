// A pin in a slot: a point stays on the line through the origin of a frame, along its x axis.
//
//   Φ = e_a × (p_b − p_a)            (m; e_a the unit vector along the slot)
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

/// The distance of p from the line through a along its x axis, positive to the left.
template <class T>
T off_line(const Frame<T>& a, const Vec2<T>& p) {
  return cross(direction(a.angle), p - a.p);
}

struct Slider {
  FrameOf slot;
  PositionOf pin;

  static constexpr unsigned laws = Law::residual;
  static constexpr std::array row_names{""};
  static const ElementInfo& info();
  auto places() const { return std::tuple(slot, pin); }

  template <class T>
  std::array<T, 1> residual(const Frame<T>& a, const Vec2<T>& p) const {
    return {off_line(a, p)};
  }
};

}  // namespace stillpoint
