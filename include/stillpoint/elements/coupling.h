// Ties coordinates together linearly: a gear, a rack and pinion, a differential, a locked coordinate.
//
//   Φ = Σ cᵢ qᵢ − d                  (in the units of c q)
#pragma once

#include "stillpoint/element_array.h"

namespace stillpoint {

struct Coupling {
  CoordinateList coordinates{};  ///< q, up to six; longer sums chain through a scalar
  NumberList factors{unset, unset, unset, unset, unset, unset};
  double value = 0;  ///< d

  static constexpr unsigned laws = Law::residual;
  static constexpr std::array row_names{""};
  static const ElementInfo& info();
  const char* problem() const;
  auto places() const { return std::tuple_cat(coordinates); }

  template <class T, class... Rest>
  std::array<T, 1> residual(const T& q, const Rest&... rest) const {
    T sum = factors[0] * q - value;
    std::size_t i = 1;
    ((i < factors.size() && coordinates[i].coordinate != nothing ? void(sum += factors[i] * rest) : void(), ++i), ...);
    return {sum};
  }
};

extern template class ElementArray<Coupling>;

}  // namespace stillpoint
