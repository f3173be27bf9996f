// Defines an angle as the direction from one point to another:
//
//   Φ = φ − atan2(y_b − y_a, x_b − x_a), brought into [−π, π]      (rad)
//
// The residual is the logarithm of the rotation between the two directions: ∂Φ/∂φ = 1 at every angle, full turns are
// counted, and there is no second solution at φ + π, in contrast to residuals with sin or cos.
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

struct Angle {
  AngleOf angle;
  PositionOf from, to;

  static constexpr unsigned laws = Law::residual;
  static constexpr std::array row_names{""};
  static const ElementInfo& info();
  auto places() const { return std::tuple(angle, from, to); }
  void state_units(UnitBook& book) const { book.coordinate(angle, "rad"); }

  template <class T>
  std::array<T, 1> residual(const T& phi, const Vec2<T>& a, const Vec2<T>& b) const {
    using std::atan2;
    const Vec2<T> d = b - a;
    return {wrap_angle(phi - atan2(d.y, d.x))};
  }
};

}  // namespace stillpoint
