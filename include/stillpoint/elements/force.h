// A dead force: its direction is constant, wherever its point moves. An input scales it, if there is one.
//
//   V = −u F·p
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

template <class Place>
struct BasicForce {
  Place at;
  VectorAt<Place> vector = unset_vector<VectorAt<Place>>;  ///< F (N), in the axes of the ground
  InputRef input{};                                        ///< u; 1 if absent

  static constexpr unsigned laws = Law::energy;
  static const ElementInfo& info();
  auto places() const { return std::tuple(at); }
  void state_units(UnitBook& book) const { book.input(input, length(vector), "N"); }

  template <class V, class T>
  T energy(const V& p, const T& u) const {
    return -u * dot(vector, p);
  }
};

using Force = BasicForce<PositionOf>;
namespace space {
using Force = BasicForce<PositionOf>;
}

}  // namespace stillpoint
