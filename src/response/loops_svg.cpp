// Nyquist plots and Nichols charts: a panel for each pair of input and output, with −1 marked.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/at.h"
#include "formats/panels.h"
#include "response/bode.h"
#include "stillpoint/error.h"
#include "stillpoint/margins.h"

namespace stillpoint {

namespace {

using LoopValues = std::vector<std::complex<double>>;

constexpr double shown_whole = 12;      // curves with |L| up to here are shown as a whole
constexpr double least_shown = 3;       // |L| that is shown of larger ones
constexpr double far_from_point = 0.2;  // curves that stay below this are shown without the point -1

constexpr double lowest_decibels = -60, highest_decibels = 60;  // of a Nichols chart
constexpr std::array contours{12.0, 6.0, 3.0, 1.0, 0.0, -1.0, -3.0, -6.0, -12.0, -20.0, -40.0};

constexpr Index most_beside = 2;  // panels of one input beside each other

const char* const grid_colour = "#c9c9c9";
const char* const point_colour = "#d55e00";

std::string frequency_words(double omega, bool hertz) {
  return hertz ? fmt::format("{:.3g} Hz", omega / (2 * std::numbers::pi)) : fmt::format("{:.3g} rad/s", omega);
}

/// The smallest margins in one line.
std::string margins_line(const LoopFigures& figures, bool hertz) {
  std::vector<std::string> parts;
  const GainMargin* gain = nullptr;
  for (const GainMargin& margin : figures.gain_margins) {
    if (!gain || std::abs(std::log(margin.factor)) < std::abs(std::log(gain->factor))) gain = &margin;
  }
  if (gain)
    parts.push_back(
        fmt::format("gain {:+.3g} dB at {}", 20 * std::log10(gain->factor), frequency_words(gain->omega, hertz)));
  if (const PhaseMargin* const phase = figures.least_phase_margin())
    parts.push_back(fmt::format("phase {:+.3g}° at {}", phase->degrees, frequency_words(phase->omega, hertz)));
  if (figures.is_counted) parts.push_back(fmt::format("closed: {} unstable", figures.closed_unstable));
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// The values with a gap wherever a pole on the axis opens the curve.
LoopValues with_gaps(const LoopFigures& figures, const Eigen::VectorXd& omega, const LoopValues& values,
                     std::vector<double>* decibels = nullptr, std::vector<double>* degrees = nullptr) {
  LoopValues broken;
  std::vector<double> db, deg;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto index = static_cast<Eigen::Index>(k);
    const bool is_opened = k > 0 && std::any_of(figures.axis_poles.begin(), figures.axis_poles.end(), [&](auto& pole) {
                             return pole.order != 0 && pole.omega > omega[index - 1] && pole.omega < omega[index];
                           });
    if (is_opened) {
      broken.push_back(std::nan(""));
      db.push_back(std::nan(""));
      deg.push_back(std::nan(""));
    }
    broken.push_back(values[k]);
    if (decibels) db.push_back((*decibels)[k]);
    if (degrees) deg.push_back((*degrees)[k]);
  }
  if (decibels) *decibels = db;
  if (degrees) *degrees = deg;
  return broken;
}

struct View {
  plot::Range x, y;
  bool is_cut = false, has_point = true;
  double largest = 0;
};

/// A square that shows what decides.
View nyquist_view(const LoopFigures& figures, const LoopValues& values) {
  View view;
  plot::Range re, im;
  for (const std::complex<double> value : values) {
    if (std::isfinite(std::abs(value))) view.largest = std::max(view.largest, std::abs(value));
  }
  double limit = view.largest;
  view.is_cut = view.largest > shown_whole;
  if (view.is_cut) {
    limit = least_shown;
    for (const GainMargin& margin : figures.gain_margins) {
      if (margin.factor > 0.02) limit = std::max(limit, 1.5 / margin.factor);
    }
  }
  for (const std::complex<double> value : values) {
    if (!(std::abs(value) <= limit)) continue;
    re.take(value.real());
    im.take(value.imag());
    im.take(-value.imag());
  }
  if (view.is_cut) {
    for (const double end : {-0.8 * limit, 0.8 * limit}) {
      re.take(end);
      im.take(end);
    }
  }
  re.take(0);
  im.take(0);
  view.has_point = view.largest >= far_from_point;
  if (view.has_point) {
    re.take(-1.4);
    re.take(0.2);
  }
  const double half = std::max({re.most - re.least, im.most - im.least, 1e-300}) * 0.54;
  const double middle = (re.most + re.least) / 2;
  view.x = {middle - half, middle + half};
  view.y = {-half, half};
  return view;
}

void draw_circle(plot::Panel& panel, const char* colour) {
  std::vector<double> x, y;
  for (int k = 0; k <= 120; ++k) {
    const double angle = 2 * std::numbers::pi * k / 120;
    x.push_back(std::cos(angle));
    y.push_back(std::sin(angle));
  }
  panel.curve(x, y, colour, 1, "3 3");
}

/// An arrow towards growing frequencies, where the curve is half as large as the picture.
void draw_arrow(plot::Panel& panel, const LoopValues& values, const View& view) {
  const double wanted = (view.x.most - view.x.least) / 5;
  std::size_t best = 1;
  for (std::size_t k = 1; k < values.size(); ++k) {
    const auto off = [&](std::size_t i) { return std::abs(std::abs(values[i]) - wanted); };
    const bool is_inside = values[k].real() > view.x.least && values[k].real() < view.x.most;
    if (is_inside && std::isfinite(off(k)) && std::isfinite(off(k - 1)) && !(off(k) >= off(best))) best = k;
  }
  if (values.size() < 2) return;
  panel.arrow(values[best].real(), values[best].imag(), 2 * values[best].real() - values[best - 1].real(),
              2 * values[best].imag() - values[best - 1].imag(), plot::colours[0]);
}

plot::Panel nyquist_panel(const LoopFigures& figures, const Eigen::VectorXd& omega, const BodeCurve& curve, bool hertz,
                          const plot::PanelGrid& grid, Index column, Index row) {
  const LoopValues values = with_gaps(figures, omega, curve.value);
  const View view = nyquist_view(figures, values);
  plot::Panel panel(grid, column, row, view.x, view.y);
  panel.title(figures.output + " by " + figures.input, margins_line(figures, hertz));
  panel.scales("Re", "Im");
  panel.horizontal_line(0, "#999");
  panel.vertical_line(0, "#999");
  if (view.has_point) draw_circle(panel, grid_colour);
  std::vector<double> re, im, conjugate_im;
  for (const std::complex<double> value : values) {
    re.push_back(value.real());
    im.push_back(value.imag());
    conjugate_im.push_back(-value.imag());
  }
  panel.curve(re, conjugate_im, plot::colours[5], 1.2, "5 3");
  panel.curve(re, im, plot::colours[0]);
  draw_arrow(panel, values, view);
  for (const GainMargin& margin : figures.gain_margins) panel.dot(-1 / margin.factor, 0, plot::colours[2]);
  for (const PhaseMargin& margin : figures.phase_margins) {
    const double angle = (margin.degrees - 180) * std::numbers::pi / 180;
    panel.dot(std::cos(angle), std::sin(angle), plot::colours[2]);
  }
  const double size = view.x.most - view.x.least;
  if (view.has_point) {
    panel.cross(-1, 0, point_colour);
    panel.word(-1, -0.035 * size, "−1", "middle");
  } else {
    panel.word(view.x.least + 0.02 * size, view.y.least + 0.03 * size, "the point −1 is outside");
  }
  if (view.is_cut)
    panel.word(view.x.most - 0.02 * size, view.y.least + 0.03 * size,
               fmt::format("cut off; largest {:.3g}", view.largest), "end");
  return panel;
}

/// A number on a contour, inside of the panel: above a closed one, and at the right end of the others.
void label_contour(plot::Panel& panel, double decibels, const std::vector<double>& x, const std::vector<double>& y) {
  const plot::Axis &across = panel.x(), &along = panel.y();
  const double side = 0.02 * (across.to - across.from), top = 0.05 * (along.to - along.from);
  std::size_t best = x.size();
  for (std::size_t k = 0; k < x.size(); ++k) {
    const bool is_inside =
        x[k] > across.from + side && x[k] < across.to - side && y[k] > along.from + top / 2 && y[k] < along.to - top;
    if (!is_inside) continue;
    const bool is_better = best == x.size() || (decibels > 0 ? y[k] > y[best] : x[k] > x[best]);
    if (is_better) best = k;
  }
  if (best < x.size()) panel.word(x[best], y[best], fmt::format("{:g} dB", decibels), decibels > 0 ? "middle" : "end");
}

/// The curve on which the closed loop L/(1 + L) has a magnitude, around one of the points −180° + k 360°.
void draw_contour(plot::Panel& panel, double decibels, double centre) {
  const double M = std::pow(10, decibels / 20);
  std::vector<double> x, y;
  for (int k = 1; k < 720; ++k) {
    const std::complex<double> T = std::polar(M, k * std::numbers::pi / 360), L = T / (1.0 - T);
    double degrees = std::arg(L) * 180 / std::numbers::pi;
    if (degrees > 0) degrees -= 360;
    const double place = degrees + 180 + centre;
    if (!x.empty() && std::abs(place - x.back()) > 180) {
      x.push_back(std::nan(""));
      y.push_back(std::nan(""));
    }
    x.push_back(place);
    y.push_back(20 * std::log10(std::abs(L)));
  }
  panel.curve(x, y, grid_colour, 1);
  label_contour(panel, decibels, x, y);
}

plot::Range phase_range(const std::vector<double>& degrees, const std::vector<double>& decibels) {
  plot::Range range;
  for (std::size_t k = 0; k < degrees.size(); ++k) {
    if (decibels[k] >= lowest_decibels) range.take(degrees[k]);
  }
  range.take(-180);
  range.take(-90);
  return {45 * std::floor(range.least / 45 - 0.4), 45 * std::ceil(range.most / 45 + 0.4)};
}

plot::Panel nichols_panel(const LoopFigures& figures, const Eigen::VectorXd& omega, const BodeCurve& curve, bool hertz,
                          const plot::PanelGrid& grid, Index column, Index row) {
  std::vector<double> decibels = curve.decibels, degrees = curve.degrees;
  with_gaps(figures, omega, curve.value, &decibels, &degrees);
  const auto first = std::find_if(degrees.begin(), degrees.end(), [](double value) { return std::isfinite(value); });
  const double shift = first == degrees.end() ? 0 : 360 * std::floor(-*first / 360);
  for (double& value : degrees) value += shift;
  const plot::Range x = phase_range(degrees, decibels);
  plot::Range y;
  for (const double value : decibels) y.take(std::clamp(value, lowest_decibels, highest_decibels));
  y.take(-20);
  y.take(20);
  plot::Panel panel(grid, column, row, x, {10 * std::floor(y.least / 10), 10 * std::ceil(y.most / 10)});
  panel.title(figures.output + " by " + figures.input, margins_line(figures, hertz));
  panel.scales("phase (°)", "magnitude (dB)", x.most - x.least > 400 ? 90 : 45);
  for (double centre = -180 - 360 * 8; centre < x.most + 180; centre += 360) {
    if (centre < x.least - 180) continue;
    for (const double contour : contours) draw_contour(panel, contour, centre);
  }
  panel.horizontal_line(0, "#999");
  panel.curve(degrees, decibels, plot::colours[0]);
  for (double centre = -180 - 360 * 8; centre <= x.most; centre += 360) panel.cross(centre, 0, point_colour);
  return panel;
}

}  // namespace

std::string to_svg(const LoopAnalysis& loops, LoopPlot plot, const std::string& title, bool hertz) {
  const std::vector<BodeCurve> curves = bode_curves(loops.response);
  const auto pairs = static_cast<Index>(curves.size()), inputs = static_cast<Index>(loops.response.input_names.size());
  const Index columns = inputs == 1 ? std::min(pairs, most_beside) : inputs;
  const plot::PanelGrid grid = plot::panel_grid(columns, (pairs + columns - 1) / std::max(columns, 1), true);
  Svg page;
  page.text(24, 26, plot::title_size, title);
  for (Index k = 0; k < pairs; ++k) {
    const auto make = plot == LoopPlot::nyquist ? nyquist_panel : nichols_panel;
    make(loops.channels[at(k)], loops.response.omega, curves[at(k)], hertz, grid, k % columns, k / columns)
        .add_to(page);
  }
  return page.finish(grid.page_width(), grid.page_height(), title);
}

}  // namespace stillpoint
