// Two magnets that attract each other:
//
//   V = −k / l,     l = |p_b − p_a|          (the force between them is k / l²)
#pragma once

#include "stillpoint/authoring/define_element.h"

namespace stillpoint {

struct Magnet {
  PositionOf a, b;
  double strength = unset;  ///< k (N m²)

  static constexpr unsigned laws = Law::energy;
  static const ElementInfo& info() {
    static const ElementInfo info{
        "magnet",
        "Two magnets that attract each other.",
        "potential −strength / l",
        {field<&Magnet::a, &Magnet::b>("between", "", "where they sit"),
         field<&Magnet::strength>("strength", "N m²", "force at one metre").must_be(Allowed::positive)}};
    return info;
  }
  auto places() const { return std::tuple(a, b); }

  template <class T>
  T energy(const Vec2<T>& p_a, const Vec2<T>& p_b) const {
    return -strength / length(p_b - p_a);
  }
};

}  // namespace stillpoint
