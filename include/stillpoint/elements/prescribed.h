// A coordinate that moves as told: its value is an input of the model (base excitation, a servo without compliance).
//
//   Φ = q − u                        (in the unit of q)
#pragma once

#include "stillpoint/element_array.h"

namespace stillpoint {

struct Prescribed {
  CoordinateOf coordinate;
  InputRef input;

  static constexpr unsigned laws = Law::residual;
  static constexpr std::array row_names{""};
  static const ElementInfo& info();
  auto places() const { return std::tuple(coordinate); }

  template <class T>
  std::array<T, 1> residual(const T& q, const T& u) const {
    return {q - u};
  }
};

extern template class ElementArray<Prescribed>;

}  // namespace stillpoint
