// A linear relation between coordinates: a gear, a rack and pinion, a differential, a locked coordinate.
//
//   Φ = Σ cᵢ qᵢ − d                  (in the units of c q)
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

struct Coupling {
  CoordinateList coordinates{};  ///< q, up to six; a longer sum is a chain of sums through scalars
  NumberList factors{unset, unset, unset, unset, unset, unset};
  double value = 0;  ///< d

  static constexpr unsigned laws = Law::residual;
  static constexpr std::array row_names{""};
  static const ElementInfo& info();
  const char* problem() const;
  auto places() const { return std::tuple_cat(coordinates); }
  std::string reaction_unit(const UnitBook& book, int place) const {
    return book.of_force(coordinates[static_cast<std::size_t>(place)]);
  }

  template <class T, class... Rest>
  std::array<T, 1> residual(const T& q, const Rest&... rest) const {
    T sum = factors[0] * q - value;
    std::size_t i = 1;
    ((i < factors.size() && coordinates[i].coordinate != nothing ? void(sum += factors[i] * rest) : void(), ++i), ...);
    return {sum};
  }
};

}  // namespace stillpoint
