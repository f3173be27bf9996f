// What plots over one variable share: panels below each other, scales with round numbers, curves, and a legend.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "formats/svg.h"

namespace stillpoint::plot {

constexpr double width = 680, left = 72, right = 24, gap = 28, below = 52;
constexpr double title_size = 15, note_size = 12, line_height = 18;
constexpr double first_entry = 44;  ///< of the legend, below the title
constexpr std::size_t most_curves = 10;

/// The palette of [Okabe & Ito 2008], which people with colour vision deficiency can distinguish, and two greys.
constexpr std::array<const char*, most_curves> colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
                                                       "#56b4e9", "#000000", "#8c6d00", "#777777", "#bbbbbb"};

/// The map from numbers to positions along an axis.
struct Axis {
  double from = 0, to = 1, begin = 0, end = 1;

  double place(double value) const { return begin + (value - from) / (to - from) * (end - begin); }
};

struct Range {
  double least = std::numeric_limits<double>::infinity(), most = -least;

  void take(double value);
  void take(const std::vector<double>& values);
  /// The same, or a tenth of the magnitude on both sides where the values differ by rounding only.
  Range opened() const;
};

/// The round number among 1, 2 and 5 times a power of ten that divides the range into at most so many steps.
double round_step(const Range& range, int most_steps);

/// Draws lines across a panel at multiples of a step, with the numbers beside them, and the quantity above. Returns the
/// axis.
Axis add_scale(Svg& svg, double top, double height, Range range, double step, const std::string& quantity);
/// The same downwards, with numbers below the last panel.
Axis add_horizontal_scale(Svg& svg, const std::vector<double>& tops, double height, const Range& range,
                          const std::string& quantity);

void add_curve(Svg& svg, const Axis& x, const Axis& y, const std::vector<double>& at, const std::vector<double>& values,
               const char* colour);

/// An entry of the legend: a piece of the curve beside its name.
void add_entry(Svg& svg, double y, const char* colour, const std::string& name);

}  // namespace stillpoint::plot
