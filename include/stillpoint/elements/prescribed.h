// A coordinate whose value is an input of the model (base excitation, an ideal servo):
//
//   Φ = q − u                        (in the unit of q)
#pragma once

#include "stillpoint/authoring/element.h"

namespace stillpoint {

struct Prescribed {
  CoordinateOf coordinate;
  InputRef input;

  static constexpr unsigned laws = Law::residual;
  static constexpr std::array row_names{""};
  static const ElementInfo& info();
  auto places() const { return std::tuple(coordinate); }
  void state_units(UnitBook& book) const { book.input(input, book.of(coordinate)); }
  std::string reaction_unit(const UnitBook& book, int /*place*/) const { return book.of_force(coordinate); }

  template <class T>
  std::array<T, 1> residual(const T& q, const T& u) const {
    return {q - u};
  }
};

}  // namespace stillpoint
