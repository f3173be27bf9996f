// A point mass, at a point or anywhere on a body:
//
//   inertia force  m a,     weight  −m g·p.
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

template <class Place>
struct BasicPointMass {
  Place at;
  double mass = unset;  ///< m (kg)

  static constexpr unsigned laws = Law::inertia | Law::weight;
  static const ElementInfo& info();
  auto places() const { return std::tuple(at); }

  template <class Moving>
  auto inertia(const Moving& point) const {
    return std::tuple(mass * point.a);
  }

  template <class V, class G>
  ScalarOf<V> weight(const V& p, const G& gravity) const {
    return -mass * dot(gravity, p);
  }
};

using PointMass = BasicPointMass<PositionOf>;
namespace space {
using PointMass = BasicPointMass<PositionOf>;
}

}  // namespace stillpoint
