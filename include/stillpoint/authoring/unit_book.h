// Units of coordinates and inputs, as far as elements know them: an angle is in rad, a force input in N.
//
// An element may state, each optionally:
//
//   void state_units(UnitBook& book) const;                       of coordinates and inputs that it uses
//   std::string measure_unit(const UnitBook& book) const;         of its measure
//   std::string reaction_unit(const UnitBook& book, int place) const;   of a scalar reaction
#pragma once

#include <string>

#include "stillpoint/authoring/places.h"

namespace stillpoint {

class UnitBook {
 public:
  virtual ~UnitBook() = default;

  /// The unit of a coordinate; empty where nobody says.
  virtual std::string of(CoordinateOf coordinate) const = 0;
  /// The unit of the generalised force on a coordinate: of what does work on it.
  std::string of_force(CoordinateOf coordinate) const {
    const std::string unit = of(coordinate);
    return unit == "m" ? "N" : unit == "rad" ? "N m" : "";
  }
  /// Whether this is an angle in rad; a scalar may be a displacement, or nobody has said what it is.
  virtual bool is_angle(AngleOf angle) const = 0;

  /// The unit of a scalar coordinate, unless the model gives another.
  virtual void coordinate(CoordinateOf coordinate, const std::string& unit) = 0;
  virtual void coordinate(AngleOf angle, const std::string& unit) = 0;
  /// The unit of an input, unless other uses of it disagree.
  virtual void input(InputRef input, const std::string& unit) = 0;
  /// The input is multiplied by a factor; its unit is known only where that is ±1.
  virtual void input(InputRef input, double factor, const std::string& unit) = 0;
};

}  // namespace stillpoint
