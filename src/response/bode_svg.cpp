// A Bode plot in SVG: magnitude above phase, over the logarithm of the frequency.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/at.h"
#include "formats/plot.h"
#include "response/bode.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using namespace plot;

constexpr double height = 260;  // of a panel

// Values so far below the largest magnitude (dB) are not shown, because they are rounding errors of zeros.
constexpr double deepest = 240;

/// Returns the smallest of the steps that divides the range into at most eight.
double step_for(const Range& range, const std::vector<double>& steps) {
  for (const double step : steps) {
    if (!((range.most - range.least) / step > 8)) return step;
  }
  return steps.back() * std::ceil((range.most - range.least) / steps.back() / 8);
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
  const double top = first_entry + line_height * static_cast<double>(curves.size()) + gap,
               second = top + height + gap + below;
  const Axis x{frequencies.least, frequencies.most, left, left + width};
  for (const double panel : {top, second}) add_decades(svg, panel, x);
  const Axis magnitude =
      add_scale(svg, top, height, decibels, step_for(decibels, {1, 2, 5, 10, 20, 40}), "magnitude (dB)");
  const Axis phase =
      add_scale(svg, second, height, degrees, step_for(degrees, {15, 30, 45, 90, 180, 360}), "phase (°)");
  for (std::size_t c = 0; c < curves.size(); ++c) {
    add_entry(svg, first_entry + line_height * static_cast<double>(c), colours[c],
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
