// The picture of a stability map: where the equilibrium is stable, over both parameters.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/at.h"
#include "report/parameter_axis.h"
#include "stillpoint/error.h"
#include "stillpoint/stability_map.h"

namespace stillpoint {

namespace {

using namespace plot;

constexpr double map_height = 440;
const char* const unstable_colour =
    "#f4c7b5";  // light vermilion; stable places stay blue-grey: told apart in grey, too
const char* const stable_colour = "#dceaf4";
const char* const undecided_colour = "#eeeeee";
const char* const flutter_curve = colours[1];
const char* const divergence_curve = colours[0];

const char* colour_of(const SweepPoint& point) {
  switch (point.verdict.stability) {
    case Stability::unstable:
    case Stability::growing:
      return unstable_colour;
    case Stability::undecided:
      return undecided_colour;
    default:
      return stable_colour;
  }
}

struct Corner {
  double x = 0, y = 0;
};

void add_area(Svg& svg, const std::vector<Corner>& corners, const char* colour) {
  std::string points;
  for (const Corner& corner : corners) points += fmt::format("{:.2f},{:.2f} ", corner.x, corner.y);
  svg.add(
      fmt::format("<polygon points=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"0.4\"/>\n", points, colour, colour));
}

// Between rows along which the same happens areas go straight from one to the other; each of two others reaches half
// way.
void add_areas(Svg& svg, const MapRow& a, const MapRow& b, const ParameterAxis& horizontal,
               const ParameterAxis& vertical) {
  const std::vector<MapSegment> lower = segments_of(a.sweep), upper = segments_of(b.sweep);
  const double from = vertical.place(a.value), to = vertical.place(b.value), middle = 0.5 * (from + to);
  if (have_same_changes(a.sweep, b.sweep) && !a.sweep.is_partial && lower.size() == upper.size()) {
    for (std::size_t i = 0; i < lower.size(); ++i) {
      const SweepPoint* const sample = lower[i].sample ? lower[i].sample : upper[i].sample;
      if (!sample) continue;
      add_area(svg,
               {{horizontal.place(lower[i].from), from},
                {horizontal.place(lower[i].to), from},
                {horizontal.place(upper[i].to), to},
                {horizontal.place(upper[i].from), to}},
               colour_of(*sample));
    }
    return;
  }
  const auto add_half = [&](const std::vector<MapSegment>& segments, double edge) {
    for (const MapSegment& segment : segments) {
      const double x = horizontal.place(segment.from), end = horizontal.place(segment.to);
      if (segment.sample)
        add_area(svg, {{x, edge}, {end, edge}, {end, middle}, {x, middle}}, colour_of(*segment.sample));
    }
  };
  add_half(lower, from);
  add_half(upper, to);
}

void add_boundary(Svg& svg, const MapBoundary& boundary, const ParameterAxis& horizontal,
                  const ParameterAxis& vertical) {
  std::vector<std::pair<double, double>> points;
  for (const MapBoundary::Point& point : boundary.points)
    points.emplace_back(horizontal.place(point.first), vertical.place(point.second));
  svg.curve(points, boundary.kind == SweepEvent::Kind::flutter ? flutter_curve : divergence_curve, 2);
}

void add_legend(Svg& svg, double y) {
  const auto patch = [&](double x, const char* colour, const std::string& words) {
    svg.add(fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"18\" height=\"12\" fill=\"{}\" stroke=\"#999\"/>\n", x,
                        y - 10, colour));
    svg.text(x + 24, y, note_size, words);
  };
  patch(left, stable_colour, "stable or neutral");
  patch(left + 150, unstable_colour, "unstable");
  const auto line = [&](double x, const char* colour, const std::string& words) {
    svg.curve({{x, y - 4}, {x + 22, y - 4}}, colour, 2);
    svg.text(x + 28, y, note_size, words);
  };
  line(left + 260, flutter_curve, "flutter begins or ends");
  line(left + 430, divergence_curve, "divergence begins or ends");
}

}  // namespace

std::string to_svg(const StabilityMap& map) {
  std::vector<double> first, second;
  for (const MapRow& row : map.rows) {
    second.push_back(row.value);
    for (const SweepPoint& point : row.sweep.points) first.push_back(point.parameter);
  }
  if (second.size() < 2 || first.size() < 2) throw Error("a picture of a map needs two rows of two points at least");
  Svg svg;
  const std::string title = fmt::format("{}: stability over {} and {}", map.model, map.first, map.second);
  svg.text(left, 26, title_size, title);
  add_legend(svg, first_entry + 6);
  const double top = first_entry + 1.6 * gap;
  Svg scales;  // above the colours
  const ParameterAxis horizontal = ParameterAxis::horizontal(scales, {top}, map_height, first, map.first_spacing,
                                                             with_unit(map.first, map.first_unit));
  const ParameterAxis vertical = ParameterAxis::vertical(scales, top, map_height, second, map.second_spacing,
                                                         with_unit(map.second, map.second_unit));
  for (std::size_t k = 1; k < map.rows.size(); ++k) add_areas(svg, map.rows[k - 1], map.rows[k], horizontal, vertical);
  svg.add("<g style=\"mix-blend-mode: multiply\">\n" + scales.content() + "</g>\n");
  for (const MapBoundary& boundary : map.boundaries) add_boundary(svg, boundary, horizontal, vertical);
  svg.frame(left, top, width, map_height);
  return svg.finish(left + width + right, top + map_height + below, title);
}

}  // namespace stillpoint
