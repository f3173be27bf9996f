#include "formats/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace stillpoint::plot {

void Range::take(double value) {
  if (!std::isfinite(value)) return;
  least = std::min(least, value);
  most = std::max(most, value);
}

void Range::take(const std::vector<double>& values) {
  for (const double value : values) take(value);
}

Range Range::opened() const {
  constexpr double rounding = 1e-9;
  if (!(least <= most)) return {-1, 1};
  const double magnitude = std::max(std::abs(least), std::abs(most));
  if (most - least > rounding * magnitude) return *this;
  const double aside = magnitude > 0 ? 0.1 * magnitude : 1;
  return {least - aside, most + aside};
}

double round_step(const Range& range, int most_steps) {
  const double size = range.most - range.least;
  if (!(size > 0) || !std::isfinite(size)) return 1;
  const double power = std::pow(10, std::floor(std::log10(size / most_steps)));
  for (const double digit : {1, 2, 5}) {
    if (size / (digit * power) <= most_steps) return digit * power;
  }
  return 10 * power;
}

Axis add_scale(Svg& svg, double top, double height, Range range, double step, const std::string& quantity) {
  constexpr double nearly = 1e-9;  // a value at a line does not ask for another one
  if (!(range.least <= range.most)) range = {0, 0};
  double first = std::floor(range.least / step + nearly), last = std::ceil(range.most / step - nearly);
  if (first >= last) {
    --first;
    last = first + 2;
  }
  const Axis axis{first * step, last * step, top + height, top};
  for (double tick = first; tick <= last; ++tick) {
    const double y = axis.place(tick * step);
    svg.curve({{left, y}, {left + width, y}}, "#ddd", 1);
    svg.text(left - 8, y + 4, note_size, fmt::format("{:.6g}", tick * step), "end");
  }
  svg.text(left, top - 8, note_size, quantity);
  return axis;
}

Axis add_horizontal_scale(Svg& svg, const std::vector<double>& tops, double height, const Range& range,
                          const std::string& quantity) {
  const double step = round_step(range, 10);
  const Axis axis{range.least, range.most, left, left + width};
  const double bottom = tops.back() + height;
  for (double tick = std::ceil(range.least / step); tick * step <= range.most * (1 + 1e-12); ++tick) {
    const double x = axis.place(tick * step);
    for (const double top : tops) svg.curve({{x, top}, {x, top + height}}, "#ddd", 1);
    svg.text(x, bottom + line_height, note_size, fmt::format("{:.6g}", tick * step), "middle");
  }
  svg.text(left + width / 2, bottom + 2 * line_height, note_size, quantity, "middle");
  return axis;
}

void add_curve(Svg& svg, const Axis& x, const Axis& y, const std::vector<double>& at, const std::vector<double>& values,
               const char* colour) {
  std::vector<std::pair<double, double>> points;
  for (std::size_t k = 0; k < values.size(); ++k) points.emplace_back(x.place(at[k]), y.place(values[k]));
  svg.curve(points, colour, 1.8);
}

void add_entry(Svg& svg, double y, const char* colour, const std::string& name) {
  svg.curve({{left, y}, {left + 28, y}}, colour, 2.5);
  svg.text(left + 36, y + 4, note_size, name);
}

}  // namespace stillpoint::plot
