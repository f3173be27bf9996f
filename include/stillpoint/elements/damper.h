// A damper between two points:
//
//   tension  c l̇,     l = |p_b − p_a|
#pragma once

#include "stillpoint/elements/spring.h"

namespace stillpoint {

template <class Place>
struct BasicDamper {
  Place a, b;
  double damping = unset;  ///< c (N s/m)

  static constexpr unsigned laws = Law::forces;
  static constexpr std::array measure_names{""};
  static const ElementInfo& info();
  auto places() const { return std::tuple(a, b); }
  std::string measure_unit(const UnitBook&) const { return "N"; }

  template <class Moving>
  auto forces(const Moving& at_a, const Moving& at_b) const {
    return damper_forces(at_a, at_b, damping);
  }

  /// The tension.
  template <class Moving>
  auto measure(const Moving& at_a, const Moving& at_b) const {
    return std::array{damping * rate_of_length(at_a, at_b)};
  }
};

using Damper = BasicDamper<PositionOf>;
namespace space {
using Damper = BasicDamper<PositionOf>;
}

}  // namespace stillpoint
