// A rod without mass, or any constant distance between two points:
//
//   Φ = |p_b − p_a|² − l²            (m²; its multiplier is half the rod's tension over its length)
#pragma once

#include "stillpoint/element_array.h"

namespace stillpoint {

/// The form in which every constant length is stated: the square, so that Φ is quadratic in the coordinates of points.
template <class T>
T length_residual(const Vec2<T>& a, const Vec2<T>& b, double length) {
  const Vec2<T> d = b - a;
  return dot(d, d) - length * length;
}

struct Distance {
  PositionOf a, b;
  double length = unset;  ///< l (m)

  static constexpr unsigned laws = Law::residual;
  static constexpr std::array row_names{""};
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }

  template <class T>
  std::array<T, 1> residual(const Vec2<T>& p_a, const Vec2<T>& p_b) const {
    return {length_residual(p_a, p_b, length)};
  }
};

extern template class ElementArray<Distance>;

}  // namespace stillpoint
