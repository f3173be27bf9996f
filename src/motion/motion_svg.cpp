// The outputs of a motion over time in SVG: a panel for each unit, and one for the energies.
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "base/at.h"
#include "formats/plot.h"
#include "linearize/units.h"
#include "stillpoint/error.h"
#include "stillpoint/motion.h"

namespace stillpoint {

namespace {

using namespace plot;

constexpr double panel_height = 180;
constexpr std::size_t most_panels = 8;

struct Curve {
  std::string name;
  std::vector<double> values;
};
struct Panel {
  std::string unit;
  std::vector<Curve> curves{};
};

void add_to_panels(std::vector<Panel>& panels, const std::string& unit, Curve curve) {
  for (Panel& panel : panels) {
    if (panel.unit == unit && panel.curves.size() < most_curves) return panel.curves.push_back(std::move(curve));
  }
  panels.push_back({unit, {std::move(curve)}});
}

/// Angles are drawn in degrees.
void add_quantity(std::vector<Panel>& panels, const std::string& unit, Curve curve) {
  if (unit.starts_with("rad")) {
    for (double& value : curve.values) value *= 180 / std::numbers::pi;
    return add_to_panels(panels, "°" + unit.substr(3), std::move(curve));
  }
  add_to_panels(panels, unit, std::move(curve));
}

std::vector<Panel> panels_of(const Model& model, const Motion& motion, const Eigen::MatrixXd& linear) {
  std::vector<Panel> panels;
  const ModelUnits units = units_of(model);
  for (Index i = 0; i < model.outputs(); ++i) {
    add_quantity(panels, units.outputs[at(i)], {model.output_name(i), output_over_time(motion, i)});
    if (i >= linear.rows()) continue;
    const Eigen::VectorXd by_linear = linear.row(i).transpose();
    add_quantity(panels, units.outputs[at(i)],
                 {model.output_name(i) + " linear", {by_linear.data(), by_linear.data() + by_linear.size()}});
  }
  for (Index i = 0; i < model.coordinates() && !motion.states.empty(); ++i)
    add_quantity(panels, units.coordinates[at(i)], {model.coordinate_name(i), coordinate_over_time(model, motion, i)});
  Curve potential{"potential energy, less that at the start", motion.potential};
  for (double& value : potential.values) value -= motion.potential.front();
  panels.push_back({"J", {{"kinetic energy", motion.kinetic}, std::move(potential)}});
  return panels;
}

/// Where the frames of the panels begin, each below its legend.
std::vector<double> tops_of(const std::vector<Panel>& panels) {
  std::vector<double> tops;
  for (const Panel& panel : panels) {
    const double y = tops.empty() ? first_entry : tops.back() + panel_height + gap;
    tops.push_back(y + line_height * static_cast<double>(panel.curves.size()) + gap / 2);
  }
  return tops;
}

void add_panel(Svg& svg, double top, const Panel& panel, const Axis& time, const std::vector<double>& times) {
  Range range;
  for (const Curve& curve : panel.curves) range.take(curve.values);
  range = range.opened();
  const Axis axis =
      add_scale(svg, top, panel_height, range, round_step(range, 6), panel.unit.empty() ? "" : "(" + panel.unit + ")");
  const double legend = top - gap / 2 - line_height * static_cast<double>(panel.curves.size());
  for (std::size_t c = 0; c < panel.curves.size(); ++c) {
    add_entry(svg, legend + line_height * static_cast<double>(c), colours[c], panel.curves[c].name);
    add_curve(svg, time, axis, times, panel.curves[c].values, colours[c]);
  }
  svg.frame(left, top, width, panel_height);
}

}  // namespace

std::string to_svg(const Model& model, const Motion& motion, const MotionSupplement& supplement) {
  if (motion.times.size() < 2) throw Error("a plot of a motion needs at least two times");
  const std::vector<Panel> panels = panels_of(model, motion, supplement.linear);
  if (panels.size() > most_panels)
    throw Error(fmt::format("a plot shows at most {} panels of {} curves each; name fewer outputs in the model",
                            most_panels, most_curves));
  Svg svg;
  const std::string title = model.name() + ": motion";
  svg.text(left, 26, title_size, title);
  Range range;
  range.take(motion.times);
  const std::vector<double> tops = tops_of(panels);
  const Axis time = add_horizontal_scale(svg, tops, panel_height, range, "time (s)");
  for (std::size_t i = 0; i < panels.size(); ++i) add_panel(svg, tops[i], panels[i], time, motion.times);
  return svg.finish(left + width + right, tops.back() + panel_height + below, title);
}

}  // namespace stillpoint
