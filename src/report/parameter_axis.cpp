#include "report/parameter_axis.h"

#include <fmt/format.h>

#include <cmath>

namespace stillpoint {

namespace {

using namespace plot;

// 1, 2 and 5 times the powers of ten on a logarithmic axis.
struct DecadeMark {
  double number = 0;
  std::string text;
  const char* colour = "";
};

std::vector<DecadeMark> decade_marks(const Axis& axis) {
  std::vector<DecadeMark> marks;
  for (double decade = std::floor(axis.from); decade <= std::ceil(axis.to); ++decade) {
    for (const int digit : {1, 2, 5}) {
      const double number = decade + std::log10(digit);
      if (number < axis.from - 1e-9 || number > axis.to + 1e-9) continue;
      marks.push_back({number, fmt::format("{:g}", digit * std::pow(10, decade)), digit == 1 ? "#bbb" : "#eee"});
    }
  }
  return marks;
}

}  // namespace

ParameterAxis::ParameterAxis(const std::vector<double>& parameters, Spacing spacing) : spacing_(spacing) {
  for (const double parameter : parameters) range_.take(number(parameter));
}

double ParameterAxis::number(double parameter) const {
  return spacing_ == Spacing::logarithmic ? std::log10(parameter) : parameter;
}

std::vector<double> ParameterAxis::numbers(const std::vector<double>& parameters) const {
  std::vector<double> result;
  for (const double parameter : parameters) result.push_back(number(parameter));
  return result;
}

ParameterAxis ParameterAxis::horizontal(Svg& svg, const std::vector<double>& tops, double height,
                                        const std::vector<double>& parameters, Spacing spacing,
                                        const std::string& quantity) {
  ParameterAxis result(parameters, spacing);
  if (spacing == Spacing::linear) {
    result.axis_ = add_horizontal_scale(svg, tops, height, result.range_, quantity);
    return result;
  }
  result.axis_ = {result.range_.least, result.range_.most, left, left + width};
  const double bottom = tops.back() + height;
  for (const DecadeMark& mark : decade_marks(result.axis_)) {
    const double x = result.axis_.place(mark.number);
    for (const double top : tops) svg.curve({{x, top}, {x, top + height}}, mark.colour, 1);
    svg.text(x, bottom + line_height, note_size, mark.text, "middle");
  }
  svg.text(left + width / 2, bottom + 2 * line_height, note_size, quantity, "middle");
  return result;
}

ParameterAxis ParameterAxis::vertical(Svg& svg, double top, double height, const std::vector<double>& parameters,
                                      Spacing spacing, const std::string& quantity) {
  ParameterAxis result(parameters, spacing);
  result.axis_ = {result.range_.least, result.range_.most, top + height, top};
  std::vector<DecadeMark> marks;
  if (spacing == Spacing::logarithmic) {
    marks = decade_marks(result.axis_);
  } else {
    const double step = round_step(result.range_, 8);
    for (double k = std::ceil(result.range_.least / step - 1e-9); k * step <= result.range_.most + 1e-9 * step; ++k)
      marks.push_back({k * step, fmt::format("{:g}", k * step + 0.0), "#ddd"});
  }
  for (const DecadeMark& mark : marks) {
    const double y = result.axis_.place(mark.number);
    svg.curve({{left, y}, {left + width, y}}, mark.colour, 1);
    svg.text(left - 6, y + 4, note_size, mark.text, "end");
  }
  svg.text(left, top - 8, note_size, quantity);
  return result;
}

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : fmt::format("{} ({})", name, unit);
}

}  // namespace stillpoint
