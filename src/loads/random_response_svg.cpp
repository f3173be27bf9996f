// The spectral densities of outputs over the frequency, both logarithmic.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/at.h"
#include "formats/plot.h"
#include "stillpoint/error.h"
#include "stillpoint/random_response.h"

namespace stillpoint {

namespace {

using namespace plot;

constexpr double plot_height = 320;

// Densities so many decades below the largest are not shown: they are the squares of small numbers.
constexpr double most_decades = 14;

std::string power_of_ten(double exponent) {
  return exponent >= -3 && exponent <= 4 ? fmt::format("{:g}", std::pow(10, exponent))
                                         : fmt::format("1e{:g}", exponent);
}

std::vector<double> logarithms(const RandomResponse& response, std::size_t output) {
  std::vector<double> values;
  const auto i = static_cast<Eigen::Index>(output);
  for (const Eigen::MatrixXcd& S : response.psd) {
    const double value = S(i, i).real();
    values.push_back(value > 0 && std::isfinite(value) ? std::log10(value) : std::nan(""));
  }
  return values;
}

/// Draws the decades of both axes with their numbers; between decades 2, 3, ..., 9 where there are few.
void add_logarithmic_grid(Svg& svg, double top, const Axis& x, const Axis& y) {
  const bool has_digits = x.to - x.from <= 4;
  for (double decade = std::floor(x.from); decade <= std::ceil(x.to); ++decade) {
    for (int digit = 1; digit <= (has_digits ? 9 : 1); ++digit) {
      const double value = decade + std::log10(digit);
      if (value < x.from - 1e-9 || value > x.to + 1e-9) continue;
      const double place = x.place(value);
      svg.curve({{place, top}, {place, top + plot_height}}, digit == 1 ? "#bbb" : "#eee", 1);
      const bool is_numbered = digit == 1 || (x.to - x.from < 2.5 && (digit == 2 || digit == 5));
      if (is_numbered)
        svg.text(place, top + plot_height + line_height, note_size, fmt::format("{:g}", digit * std::pow(10, decade)),
                 "middle");
    }
  }
  const double step = std::ceil((y.to - y.from) / 8);
  for (double decade = std::ceil(y.from); decade <= y.to + 1e-9; decade += step) {
    const double place = y.place(decade);
    svg.curve({{left, place}, {left + width, place}}, "#ccc", 1);
    svg.text(left - 6, place + 4, note_size, power_of_ten(decade), "end");
  }
}

std::string legend(const RandomResponse& response, std::size_t i) {
  const double rms = std::sqrt(response.variance[static_cast<Eigen::Index>(i)]);
  const std::string unit = response.output_units[i].empty() ? "" : " " + response.output_units[i];
  return std::isfinite(rms) ? fmt::format("{}: RMS {:.4g}{}", response.output_names[i], rms, unit)
                            : response.output_names[i];
}

}  // namespace

std::string to_svg(const RandomResponse& response, const std::string& title) {
  const std::size_t outputs = response.output_names.size();
  if (outputs > most_curves)
    throw Error(fmt::format("a plot shows at most {} outputs, not {}: choose some with option 'outputs'", most_curves,
                            outputs));
  std::vector<double> frequencies;
  for (const double hertz : response.frequency) frequencies.push_back(hertz > 0 ? std::log10(hertz) : std::nan(""));
  Range across, up;
  across.take(frequencies);
  std::vector<std::vector<double>> curves;
  for (std::size_t i = 0; i < outputs; ++i) up.take(curves.emplace_back(logarithms(response, i)));
  if (!(across.least < across.most) || !(up.least <= up.most))
    throw Error("a plot needs two frequencies above zero, and a density above zero");
  up.least = std::max(std::floor(up.least), up.most - most_decades);
  up.most = std::ceil(up.most + 1e-9);

  Svg svg;
  svg.text(left, 26, title_size, title);
  const double top = first_entry + line_height * static_cast<double>(outputs) + gap;
  const Axis x{across.least, across.most, left, left + width};
  const Axis y{up.least, up.most, top + plot_height, top};
  add_logarithmic_grid(svg, top, x, y);
  svg.text(left, top - 8, note_size, "one-sided spectral density (unit²/Hz)", "start");
  for (std::size_t i = 0; i < outputs; ++i) {
    for (double& value : curves[i]) value = value < up.least ? std::nan("") : value;
    add_entry(svg, first_entry + line_height * static_cast<double>(i), colours[i], legend(response, i));
    add_curve(svg, x, y, frequencies, curves[i], colours[i]);
  }
  svg.frame(left, top, width, plot_height);
  svg.text(left + width / 2, top + plot_height + 2 * line_height, note_size, "frequency (Hz)", "middle");
  return svg.finish(left + width + right, top + plot_height + below, title);
}

}  // namespace stillpoint
