// A Bode plot in SVG: magnitude above phase, over the logarithm of the frequency.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/at.h"
#include "formats/svg.h"
#include "response/bode.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

constexpr double width = 680, height = 260, left = 72, right = 24, gap = 28, below = 52;
constexpr double title_size = 15, note_size = 12, line_height = 18;
constexpr std::size_t most_curves = 10;

// Values so far below the largest magnitude (dB) are not shown, because they are rounding errors of zeros.
constexpr double deepest = 240;

// The palette of [Okabe & Ito 2008], which people with colour vision deficiency can distinguish, and two greys.
constexpr std::array<const char*, most_curves> colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
                                                       "#56b4e9", "#000000", "#8c6d00", "#777777", "#bbbbbb"};

/// The map from numbers to positions along an axis.
struct Axis {
  double from = 0, to = 1, begin = 0, end = 1;

  double place(double value) const { return begin + (value - from) / (to - from) * (end - begin); }
};

struct Range {
  double least = std::numeric_limits<double>::infinity(), most = -least;

  void take(const std::vector<double>& values) {
    for (const double value : values) {
      if (!std::isfinite(value)) continue;
      least = std::min(least, value);
      most = std::max(most, value);
    }
  }
};

/// Returns the smallest of the steps that divides the range into at most eight.
double step_for(const Range& range, const std::vector<double>& steps) {
  for (const double step : steps) {
    if ((range.most - range.least) / step <= 8) return step;
  }
  return steps.back() * std::ceil((range.most - range.least) / steps.back() / 8);
}

/// Draws lines at multiples of a step, with the numbers beside them. Returns the axis.
Axis add_scale(Svg& svg, double top, Range range, const std::vector<double>& steps, const std::string& unit) {
  if (!(range.least <= range.most)) range = {0, 0};
  const double step = step_for(range, steps);
  double first = std::floor(range.least / step), last = std::ceil(range.most / step);
  if (first == last) {
    --first;
    ++last;
  }
  const Axis axis{first * step, last * step, top + height, top};
  for (double tick = first; tick <= last; ++tick) {
    const double y = axis.place(tick * step);
    svg.curve({{left, y}, {left + width, y}}, "#ddd", 1);
    svg.text(left - 8, y + 4, note_size, fmt::format("{:g}", tick * step), "end");
  }
  svg.text(left, top - 8, note_size, unit);
  return axis;
}

/// Draws lines at the decades and, if these are few, at 2, 3, ..., 9 times each.
void add_decades(Svg& svg, double top, const Axis& axis) {
  const bool is_wide = axis.to - axis.from > 6;
  const bool is_narrow = axis.to - axis.from < 1.5;
  for (double decade = std::floor(axis.from); decade <= std::ceil(axis.to); ++decade) {
    for (int digit = 1; digit <= (is_wide ? 1 : 9); ++digit) {
      const double value = decade + std::log10(digit);
      if (value < axis.from - 1e-9 || value > axis.to + 1e-9) continue;
      const double x = axis.place(value);
      svg.curve({{x, top}, {x, top + height}}, digit == 1 ? "#bbb" : "#eee", 1);
      const bool has_number = digit == 1 || (is_narrow && (digit == 2 || digit == 5));
      if (has_number) {
        svg.text(x, top + height + line_height, note_size, fmt::format("{:g}", digit * std::pow(10, decade)), "middle");
      }
    }
  }
}

void add_curve(Svg& svg, const Axis& x, const Axis& y, const std::vector<double>& log_frequency,
               const std::vector<double>& values, const char* colour) {
  std::vector<std::pair<double, double>> points;
  for (std::size_t k = 0; k < values.size(); ++k) {
    points.emplace_back(x.place(log_frequency[k]), y.place(values[k]));
  }
  svg.curve(points, colour, 1.8);
}

void hide_rounding(std::vector<BodeCurve>& curves) {
  Range decibels;
  for (const BodeCurve& curve : curves) decibels.take(curve.decibels);
  for (BodeCurve& curve : curves) {
    for (std::size_t k = 0; k < curve.value.size(); ++k) {
      if (!(curve.decibels[k] >= decibels.most - deepest)) curve.decibels[k] = curve.degrees[k] = std::nan("");
    }
  }
}

bool is_hidden(const BodeCurve& curve) {
  return std::all_of(curve.decibels.begin(), curve.decibels.end(), [](double value) { return std::isnan(value); });
}

void require_few(std::size_t curves) {
  if (curves >= 1 && curves <= most_curves) return;
  throw Error(fmt::format(
      "a plot shows 1 to {} pairs of input and output, not {}: choose some with option 'inputs' and option 'outputs'",
      most_curves, curves));
}

std::vector<double> log_frequencies(const FrequencyResponse& response, bool hertz) {
  std::vector<double> values;
  for (const double omega : response.omega) {
    values.push_back(omega > 0 ? std::log10(hertz ? omega / (2 * std::numbers::pi) : omega) : std::nan(""));
  }
  return values;
}

}  // namespace

std::string to_svg(const FrequencyResponse& response, const std::string& title, bool hertz) {
  std::vector<BodeCurve> curves = bode_curves(response);
  require_few(curves.size());
  hide_rounding(curves);
  const std::vector<double> log_frequency = log_frequencies(response, hertz);
  Range frequencies, decibels, degrees;
  frequencies.take(log_frequency);
  for (const BodeCurve& curve : curves) {
    decibels.take(curve.decibels);
    degrees.take(curve.degrees);
  }
  if (!(frequencies.least < frequencies.most)) throw Error("a plot needs at least two frequencies above zero");

  Svg svg;
  svg.text(left, 26, title_size, title);
  const double top = 44 + line_height * static_cast<double>(curves.size()) + gap, second = top + height + gap + below;
  const Axis x{frequencies.least, frequencies.most, left, left + width};
  for (const double panel : {top, second}) add_decades(svg, panel, x);
  const Axis magnitude = add_scale(svg, top, decibels, {1, 2, 5, 10, 20, 40}, "magnitude (dB)");
  const Axis phase = add_scale(svg, second, degrees, {15, 30, 45, 90, 180, 360}, "phase (°)");
  for (std::size_t c = 0; c < curves.size(); ++c) {
    const double y = 44 + line_height * static_cast<double>(c);
    svg.curve({{left, y}, {left + 28, y}}, colours[c], 2.5);
    svg.text(left + 36, y + 4, note_size,
             fmt::format("{} by {}{}", curves[c].output, curves[c].input, is_hidden(curves[c]) ? ": zero" : ""));
    add_curve(svg, x, magnitude, log_frequency, curves[c].decibels, colours[c]);
    add_curve(svg, x, phase, log_frequency, curves[c].degrees, colours[c]);
  }
  for (const double panel : {top, second}) svg.frame(left, panel, width, height);
  svg.text(left + width / 2, second + height + 2 * line_height, note_size,
           hertz ? "frequency (Hz)" : "angular frequency (rad/s)", "middle");
  return svg.finish(left + width + right, second + height + below, title);
}

}  // namespace stillpoint
