// A dead force: constant in direction, wherever its point moves. With an input it is scaled by the input's value.
//
//   V = −u F·p
#pragma once

#include "stillpoint/element_array.h"

namespace stillpoint {

template <class Place>
struct BasicForce {
  Place at;
  VectorAt<Place> vector = unset_vector<VectorAt<Place>>;  ///< F (N), in the axes of the ground
  InputRef input{};                                        ///< u; the constant one if absent

  static constexpr unsigned laws = Law::energy;
  static const ElementInfo& info();
  auto places() const { return std::tuple(at); }

  template <class V, class T>
  T energy(const V& p, const T& u) const {
    return -u * dot(vector, p);
  }
};

using Force = BasicForce<PositionOf>;
namespace space {
using Force = BasicForce<PositionOf>;
}

extern template class ElementArray<Force>;
extern template class ElementArray<space::Force>;

}  // namespace stillpoint
