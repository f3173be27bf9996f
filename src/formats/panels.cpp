#include "formats/panels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stillpoint/error.h"

namespace stillpoint::plot {

namespace {

constexpr double left_space = 66, right_space = 18, above_space = 46, below_space = 44;
constexpr double page_edge = 24;  // for figures that are longer than their panel is wide
constexpr double figure_size = 11;
constexpr double nearly = 1e-9;  // a tick at the edge of the panel is inside, to so much of a step

/// Widths of panels for 1 to 4 columns.
constexpr double widths[] = {620, 400, 330, 280};

double size_of(const Range& range) { return range.most - range.least; }

}  // namespace

double PanelGrid::left_of(Index column) const { return left_space + column * (panel_width + left_space + right_space); }
double PanelGrid::top_of(Index row) const {
  return first_top + above_space + row * (panel_height + above_space + below_space);
}
double PanelGrid::page_width() const { return left_of(columns) - left_space + page_edge; }
double PanelGrid::page_height() const { return top_of(rows) - above_space + 8; }

PanelGrid panel_grid(Index columns, Index rows, bool is_square, Index lines_above) {
  if (columns < 1 || rows < 1 || columns > most_columns || columns * rows > most_panels)
    throw Error(
        fmt::format("a picture shows up to {} inputs and {} pairs of input and output, not {} and {}: choose some with "
                    "option 'inputs' and option 'outputs'",
                    most_columns, most_panels, columns, columns * rows));
  PanelGrid grid{columns, rows};
  grid.panel_width = is_square && columns == 1 ? 460 : widths[columns - 1];
  grid.panel_height = is_square ? grid.panel_width : columns == 1 && rows == 1 ? 300 : columns == 1 ? 200 : 180;
  grid.first_top = 34 + line_height * lines_above;
  return grid;
}

Range with_margin(const Range& range, double part) {
  const Range opened = range.opened();
  const double aside = part * size_of(opened);
  return {opened.least - aside, opened.most + aside};
}

Panel::Panel(const PanelGrid& grid, Index column, Index row, const Range& x, const Range& y)
    : left_(grid.left_of(column)),
      top_(grid.top_of(row)),
      width_(grid.panel_width),
      height_(grid.panel_height),
      x_{x.least, x.most, left_, left_ + width_},
      y_{y.least, y.most, top_ + height_, top_} {}

void Panel::title(const std::string& words, const std::string& figures) {
  outside_.text(left_, top_ - 24, note_size + 1, words);
  if (!figures.empty()) outside_.text(left_, top_ - 8, figure_size, figures);
}

void Panel::vertical_tick(double place, const char* colour, const std::string& number) {
  const double x = x_.place(place);
  outside_.curve({{x, top_}, {x, top_ + height_}}, colour, 1);
  if (!number.empty()) outside_.text(x, top_ + height_ + 16, figure_size, number, "middle");
}

void Panel::y_scale(const std::string& quantity, double step) {
  if (!(step > 0)) step = round_step({y_.from, y_.to}, std::max(3, static_cast<int>(height_ / 34)));
  for (double tick = std::ceil(y_.from / step - nearly); tick * step <= y_.to + nearly * step; ++tick) {
    const double y = y_.place(tick * step);
    outside_.curve({{left_, y}, {left_ + width_, y}}, "#e4e4e4", 1);
    outside_.text(left_ - 6, y + 4, figure_size, fmt::format("{:.4g}", tick * step + 0.0), "end");
  }
  outside_.add(fmt::format("<g transform=\"rotate(-90 {0:g} {1:g})\">\n", left_ - 52, top_ + height_ / 2));
  outside_.text(left_ - 52, top_ + height_ / 2, figure_size, quantity, "middle");
  outside_.add("</g>\n");
}

void Panel::scales(const std::string& x_quantity, const std::string& y_quantity, double x_step, double y_step) {
  if (!(x_step > 0)) x_step = round_step({x_.from, x_.to}, std::max(3, static_cast<int>(width_ / 75)));
  for (double tick = std::ceil(x_.from / x_step - nearly); tick * x_step <= x_.to + nearly * x_step; ++tick)
    vertical_tick(tick * x_step, "#e4e4e4", fmt::format("{:.6g}", tick * x_step + 0.0));
  outside_.text(left_ + width_ / 2, top_ + height_ + 32, figure_size, x_quantity, "middle");
  y_scale(y_quantity, y_step);
}

void Panel::log_scales(const std::string& x_quantity, const std::string& y_quantity) {
  const bool is_wide = x_.to - x_.from > 6, is_narrow = x_.to - x_.from < 1.5;
  for (double decade = std::floor(x_.from); decade <= std::ceil(x_.to); ++decade) {
    for (int digit = 1; digit <= (is_wide ? 1 : 9); ++digit) {
      const double value = decade + std::log10(digit);
      if (value < x_.from - nearly || value > x_.to + nearly) continue;
      const bool has_number = digit == 1 || (is_narrow && (digit == 2 || digit == 5));
      vertical_tick(value, digit == 1 ? "#bbb" : "#eee",
                    has_number ? fmt::format("{:g}", digit * std::pow(10, decade)) : "");
    }
  }
  outside_.text(left_ + width_ / 2, top_ + height_ + 32, figure_size, x_quantity, "middle");
  y_scale(y_quantity, 0);
}

void Panel::curve(const std::vector<double>& x, const std::vector<double>& y, const char* colour, double line,
                  const char* dashes) {
  // Coordinates far outside would be written with many digits; the cut is made at the edge of the panel anyway.
  const double limit = 4 * (width_ + height_);
  std::vector<std::pair<double, double>> points;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const auto near = [&](double place, double middle) { return std::clamp(place, middle - limit, middle + limit); };
    points.emplace_back(near(x_.place(x[k]), left_ + width_ / 2), near(y_.place(y[k]), top_ + height_ / 2));
  }
  if (*dashes != '\0') inside_.add(fmt::format("<g stroke-dasharray=\"{}\">\n", dashes));
  inside_.curve(points, colour, line);
  if (*dashes != '\0') inside_.add("</g>\n");
}

void Panel::horizontal_line(double y, const char* colour, const char* dashes) {
  curve({x_.from, x_.to}, {y, y}, colour, 1.2, dashes);
}

void Panel::vertical_line(double x, const char* colour, const char* dashes) {
  curve({x, x}, {y_.from, y_.to}, colour, 1.2, dashes);
}

void Panel::cross(double x, double y, const char* colour) {
  const double h = x_.place(x), v = y_.place(y), arm = 5;
  inside_.curve({{h - arm, v}, {h + arm, v}}, colour, 2);
  inside_.curve({{h, v - arm}, {h, v + arm}}, colour, 2);
}

void Panel::dot(double x, double y, const char* colour) {
  inside_.add(
      fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"3.2\" fill=\"{}\"/>\n", x_.place(x), y_.place(y), colour));
}

void Panel::arrow(double from_x, double from_y, double to_x, double to_y, const char* colour) {
  const double h = x_.place(from_x), v = y_.place(from_y);
  double along = x_.place(to_x) - h, across = y_.place(to_y) - v;
  const double length = std::hypot(along, across);
  if (!(length > 0)) return;
  along *= 5 / length;
  across *= 5 / length;
  inside_.add(fmt::format("<polygon points=\"{:.2f},{:.2f} {:.2f},{:.2f} {:.2f},{:.2f}\" fill=\"{}\"/>\n", h + along,
                          v + across, h - along + across, v - across - along, h - along - across, v - across + along,
                          colour));
}

void Panel::word(double x, double y, const std::string& words, const char* anchor) {
  inside_.text(x_.place(x), y_.place(y), figure_size - 1, words, anchor);
}

void Panel::add_to(Svg& page) const {
  page.add(outside_.content());
  page.add(
      fmt::format("<svg x=\"{0:g}\" y=\"{1:g}\" width=\"{2:g}\" height=\"{3:g}\" viewBox=\"{0:g} {1:g} {2:g} "
                  "{3:g}\" overflow=\"hidden\">\n{4}</svg>\n",
                  left_, top_, width_, height_, inside_.content()));
  page.frame(left_, top_, width_, height_);
}

}  // namespace stillpoint::plot
