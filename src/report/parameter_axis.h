// An axis of a picture along which a parameter runs, by its logarithm where its values are spaced so.
#pragma once

#include <string>
#include <vector>

#include "formats/plot.h"
#include "stillpoint/sweep.h"

namespace stillpoint {

class ParameterAxis {
 public:
  /// Below panels with these tops and of this height.
  static ParameterAxis horizontal(Svg& svg, const std::vector<double>& tops, double height,
                                  const std::vector<double>& parameters, Spacing spacing, const std::string& quantity);
  /// Left of a panel.
  static ParameterAxis vertical(Svg& svg, double top, double height, const std::vector<double>& parameters,
                                Spacing spacing, const std::string& quantity);

  const plot::Axis& axis() const { return axis_; }
  /// The number that the axis places.
  double number(double parameter) const;
  std::vector<double> numbers(const std::vector<double>& parameters) const;
  double place(double parameter) const { return axis_.place(number(parameter)); }

 private:
  ParameterAxis(const std::vector<double>& parameters, Spacing spacing);

  Spacing spacing_;
  plot::Range range_;
  plot::Axis axis_{};
};

/// "k (N/m)"
std::string with_unit(const std::string& name, const std::string& unit);

}  // namespace stillpoint
