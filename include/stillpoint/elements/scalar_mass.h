// The own inertia of a single coordinate, such as a flywheel behind a gear or a carriage on a rail:
//
//   inertia force  m q̈               (m in kg for a displacement, in kg m² for an angle)
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

struct ScalarMass {
  CoordinateOf coordinate;
  double mass = unset;

  static constexpr unsigned laws = Law::inertia;
  static const ElementInfo& info();
  auto places() const { return std::tuple(coordinate); }

  template <class T>
  std::tuple<T> inertia(const Moving<T>& q) const {
    return {mass * q.acceleration};
  }
};

}  // namespace stillpoint
