// Pictures of a parameter study: frequencies and growth rates over the parameter, and the root locus.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/at.h"
#include "report/parameter_axis.h"
#include "stillpoint/error.h"
#include "stillpoint/sweep.h"

namespace stillpoint {

namespace {

using namespace plot;

constexpr double study_height = 240;

/// A branch over the parameter, with the places where two branches meet.
struct BranchCurve {
  std::vector<double> at;
  std::vector<std::complex<double>> s;

  std::vector<double> values(double (*quantity)(std::complex<double>)) const {
    std::vector<double> result;
    for (const std::complex<double> value : s) result.push_back(quantity(value));
    return result;
  }
};

BranchCurve curve_of(const Sweep& sweep, Eigen::Index branch) {
  std::vector<std::pair<double, std::complex<double>>> points;
  for (std::size_t k = 0; k < sweep.points.size(); ++k)
    points.emplace_back(sweep.points[k].parameter, sweep.s(branch, static_cast<Eigen::Index>(k)));
  for (const SweepEvent& event : sweep.events) {
    if (event.branches.size() == 2 && std::count(event.branches.begin(), event.branches.end(), branch) > 0 &&
        event.kind != SweepEvent::Kind::veering)
      points.emplace_back(event.parameter, event.s);
  }
  std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  BranchCurve curve;
  for (const auto& [parameter, s] : points) {
    curve.at.push_back(parameter);
    curve.s.push_back(s);
  }
  return curve;
}

double hertz_of(std::complex<double> s) { return std::abs(s.imag()) / (2 * std::numbers::pi); }
double real_part_of(std::complex<double> s) { return s.real(); }

void add_study_panel(Svg& svg, double top, const Sweep& sweep, const ParameterAxis& horizontal,
                     double (*quantity)(std::complex<double>), const std::string& name) {
  Range range;
  for (Eigen::Index b = 0; b < sweep.s.rows(); ++b) range.take(curve_of(sweep, b).values(quantity));
  range = range.opened();
  const Axis axis = add_scale(svg, top, study_height, range, round_step(range, 6), name);
  for (Eigen::Index b = 0; b < sweep.s.rows(); ++b) {
    const BranchCurve curve = curve_of(sweep, b);
    const std::vector<double> values = curve.values(quantity);
    add_curve(svg, horizontal.axis(), axis, horizontal.numbers(curve.at), values, colours[at(b) % most_curves]);
    const auto first = std::find_if(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
    if (first != values.end() && sweep.s.rows() > 1)
      svg.text(horizontal.place(curve.at[at(first - values.begin())]) + 4, axis.place(*first) - 4, note_size,
               fmt::format("{}", b + 1));
  }
  for (const SweepEvent& event : sweep.events) {
    if (!changes_stability(event)) continue;
    const double x = horizontal.place(event.parameter);
    svg.add(
        fmt::format("<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"#c00000\" "
                    "stroke-dasharray=\"5 4\"/>\n",
                    x, top, top + study_height));
  }
  svg.frame(left, top, width, study_height);
}

void add_event_names(Svg& svg, double y, const Sweep& sweep, const ParameterAxis& horizontal) {
  for (const SweepEvent& event : sweep.events) {
    if (!changes_stability(event)) continue;
    const double x = horizontal.place(event.parameter);
    const bool is_right = x > left + 0.7 * width;
    svg.text(is_right ? x - 6 : x + 6, y + 16, note_size,
             fmt::format("{} {:.6g}", to_words(event.kind), event.parameter), is_right ? "end" : "start");
  }
}

void require_points(const Sweep& sweep) {
  if (sweep.points.size() < 2 || sweep.s.rows() == 0)
    throw Error("a picture of a parameter study needs two points and a mode at least");
}

}  // namespace

std::string to_svg(const Sweep& sweep) {
  require_points(sweep);
  Svg svg;
  const std::string title = fmt::format("{}: modes over {}", sweep.model, sweep.parameter);
  svg.text(left, 26, title_size, title);
  const std::vector<double> tops{first_entry + gap / 2, first_entry + gap / 2 + study_height + 2 * gap};
  std::vector<double> parameters;
  for (const SweepPoint& point : sweep.points) parameters.push_back(point.parameter);
  const ParameterAxis horizontal = ParameterAxis::horizontal(svg, tops, study_height, parameters, sweep.spacing,
                                                             with_unit(sweep.parameter, sweep.unit));
  add_study_panel(svg, tops[0], sweep, horizontal, hertz_of, "frequency (Hz)");
  add_study_panel(svg, tops[1], sweep, horizontal, real_part_of, "Re s (1/s); growing above zero");
  add_event_names(svg, tops[0], sweep, horizontal);
  return svg.finish(left + width + right, tops.back() + study_height + below, title);
}

std::string to_root_locus_svg(const Sweep& sweep) {
  require_points(sweep);
  Svg svg;
  const std::string title = fmt::format("{}: eigenvalues while {} goes from {:g} to {:g}", sweep.model, sweep.parameter,
                                        sweep.points.front().parameter, sweep.points.back().parameter);
  svg.text(left, 26, title_size, title);
  const double top = first_entry + gap / 2, height = 2 * study_height;
  Range real, imaginary;
  for (Eigen::Index b = 0; b < sweep.s.rows(); ++b) {
    for (const std::complex<double> s : sweep.s.row(b)) {
      real.take(s.real());
      imaginary.take(s.imag());
    }
  }
  real.take(0.0);
  imaginary.take(0.0);
  const Axis vertical =
      add_scale(svg, top, height, imaginary.opened(), round_step(imaginary.opened(), 8), "Im s (rad/s)");
  const Axis horizontal = add_horizontal_scale(svg, {top}, height, real.opened(), "Re s (1/s)");
  svg.curve({{horizontal.place(0), top}, {horizontal.place(0), top + height}}, "#888", 1.2);
  for (Eigen::Index b = 0; b < sweep.s.rows(); ++b) {
    std::vector<double> x, y;
    for (const std::complex<double> s : curve_of(sweep, b).s) {
      x.push_back(s.real());
      y.push_back(s.imag());
    }
    const char* const colour = colours[at(b) % most_curves];
    add_curve(svg, horizontal, vertical, x, y, colour);
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (std::isfinite(x[k]))
        svg.add(fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"/>\n", horizontal.place(x[k]),
                            vertical.place(y[k]), k == 0 ? 4 : 2, colour));
    }
  }
  svg.frame(left, top, width, height);
  return svg.finish(left + width + right, top + height + below, title);
}

}  // namespace stillpoint
