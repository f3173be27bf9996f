// The picture of boundary curves: where stability changes in the plane of two parameters.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/parameter_axis.h"
#include "stillpoint/boundary.h"

namespace stillpoint {

namespace {

constexpr double plane_height = 440;

const char* colour_of(CriticalPoint::Kind kind) {
  return kind == CriticalPoint::Kind::flutter ? plot::colours[1] : plot::colours[0];
}

void add_line_of_legend(Svg& svg, double x, double y, const char* colour, const std::string& words) {
  svg.curve({{x, y - 4}, {x + 22, y - 4}}, colour, 2);
  svg.text(x + 28, y, plot::note_size, words);
}

// Its words stand above it, on a white edge that keeps them apart from the curve.
void add_mark(Svg& svg, const BoundaryMark& mark, double x, double y, double top) {
  constexpr double edge = 80, above = 11, below = 20;
  const char* const anchor = x < plot::left + edge ? "start" : x > plot::left + plot::width - edge ? "end" : "middle";
  svg.add(
      fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"4\" fill=\"white\" stroke=\"#333\" "
                  "stroke-width=\"1.4\"/>\n<g stroke=\"white\" stroke-width=\"4\" paint-order=\"stroke\">\n",
                  x, y));
  svg.text(x, y > top + 2 * above ? y - above : y + below, plot::note_size, to_words(mark.kind), anchor);
  svg.add("</g>\n");
}

}  // namespace

std::string to_svg(const BoundaryCurves& curves) {
  Svg svg;
  const std::string title =
      fmt::format("{}: where stability changes over {} and {}", curves.model, curves.first, curves.second);
  svg.text(plot::left, 26, plot::title_size, title);
  double x_of_legend = plot::left;
  for (const auto& [kind, words] : {std::pair(CriticalPoint::Kind::flutter, "flutter begins or ends"),
                                    std::pair(CriticalPoint::Kind::divergence, "divergence begins or ends")}) {
    if (std::none_of(curves.curves.begin(), curves.curves.end(),
                     [kind = kind](const BoundaryCurve& curve) { return curve.kind == kind; }))
      continue;
    add_line_of_legend(svg, x_of_legend, plot::first_entry + 6, colour_of(kind), words);
    x_of_legend += 190;
  }
  const double top = plot::first_entry + 1.6 * plot::gap;
  const ParameterAxis horizontal =
      ParameterAxis::horizontal(svg, {top}, plane_height, {curves.first_from, curves.first_to}, Spacing::linear,
                                with_unit(curves.first, curves.first_unit));
  const ParameterAxis vertical = ParameterAxis::vertical(svg, top, plane_height, {curves.second_from, curves.second_to},
                                                         Spacing::linear, with_unit(curves.second, curves.second_unit));
  for (const BoundaryCurve& curve : curves.curves) {
    std::vector<std::pair<double, double>> points;
    for (const BoundaryPoint& point : curve.points)
      points.emplace_back(horizontal.place(point.first), vertical.place(point.second));
    svg.curve(points, colour_of(curve.kind), 2);
  }
  for (const BoundaryCurve& curve : curves.curves) {
    for (const BoundaryMark& mark : curve.marks)
      add_mark(svg, mark, horizontal.place(mark.first), vertical.place(mark.second), top);
  }
  svg.frame(plot::left, top, plot::width, plane_height);
  return svg.finish(plot::left + plot::width + plot::right, top + plane_height + plot::below, title);
}

}  // namespace stillpoint
