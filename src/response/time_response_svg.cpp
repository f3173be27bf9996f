// Answers in time as a picture: a column of panels for each input, a row for each output.
#include <fmt/format.h>

#include "base/at.h"
#include "formats/panels.h"
#include "stillpoint/time_response.h"

namespace stillpoint {

namespace {

std::vector<double> numbers_in(const Eigen::VectorXd& values) { return {values.begin(), values.end()}; }

/// The figures of a channel in one line, as far as there are some.
std::string figures_line(const TimeChannel& channel, bool is_step) {
  const TimeFigures& figures = channel.figures;
  if (channel.behaviour != Behaviour::settles) {
    const bool has_pole = std::isfinite(channel.leading_pole.real());
    if (channel.behaviour == Behaviour::unstable && has_pole)
      return fmt::format("unstable: grows with {:.3g} 1/s", channel.leading_pole.real());
    return channel.behaviour == Behaviour::oscillates ? "oscillates without damping" : "integrates: a pole at zero";
  }
  if (!is_step) return fmt::format("peak {:.4g} at {:.3g} s", figures.peak, figures.peak_time);
  std::string line = fmt::format("final {:.4g}", figures.final_value);
  if (std::isfinite(figures.rise_time)) line += fmt::format(", rise {:.3g} s", figures.rise_time);
  if (std::isfinite(figures.settling_time)) line += fmt::format(", settles in {:.3g} s", figures.settling_time);
  if (std::isfinite(figures.overshoot)) line += fmt::format(", overshoot {:.3g} %", 100 * figures.overshoot);
  return line;
}

void draw_channel(const TimeResponse& response, const TimeChannel& channel, const plot::PanelGrid& grid, Index column,
                  Index row, Svg& page) {
  const bool is_step = response.input == TimeInput::step;
  plot::Range values;
  values.take(numbers_in(channel.value));
  if (is_step) values.take(0);
  const double end = response.times[response.times.size() - 1];
  plot::Panel panel(grid, column, row, {0, end > 0 ? end : 1}, plot::with_margin(values, 0.06));
  panel.title(channel.output + " by " + channel.input, figures_line(channel, is_step));
  const std::string unit = channel.output_unit.empty() ? "" : " (" + channel.output_unit + ")";
  panel.scales("time (s)", channel.output + unit);
  panel.horizontal_line(0, "#999");
  const TimeFigures& figures = channel.figures;
  if (is_step && std::isfinite(figures.final_value)) panel.horizontal_line(figures.final_value, "#666", "5 4");
  if (is_step && std::isfinite(figures.settling_time) && figures.settling_time < end)
    panel.vertical_line(figures.settling_time, "#666", "2 4");
  panel.curve(numbers_in(response.times), numbers_in(channel.value), plot::colours[0]);
  if (channel.behaviour == Behaviour::settles && figures.peak_time <= end)
    panel.dot(figures.peak_time, figures.peak, plot::colours[1]);
  panel.add_to(page);
}

}  // namespace

std::string to_svg(const TimeResponse& response, const std::string& title) {
  Index inputs = 0;
  while (at(inputs) < response.channels.size() && response.channels[at(inputs)].output == response.channels[0].output)
    ++inputs;
  const Index rows = inputs > 0 ? static_cast<Index>(response.channels.size()) / inputs : 0;
  const plot::PanelGrid grid = plot::panel_grid(inputs, rows, false);
  Svg page;
  page.text(24, 26, plot::title_size, title);
  for (Index row = 0; row < rows; ++row) {
    for (Index column = 0; column < inputs; ++column)
      draw_channel(response, response.channels[at(row * inputs + column)], grid, column, row, page);
  }
  return page.finish(grid.page_width(), grid.page_height(), title);
}

}  // namespace stillpoint
