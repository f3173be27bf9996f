// Small multiples: panels of the same size in rows and columns, each with its title, its axes and its curves.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "formats/plot.h"
#include "stillpoint/sparse.h"

namespace stillpoint::plot {

constexpr Index most_panels = 36, most_columns = 4;

/// The places of panels on a page: a column for each input, a row for each output.
struct PanelGrid {
  Index columns = 1, rows = 1;
  double panel_width = 0, panel_height = 0;
  double first_top = 0;

  double left_of(Index column) const;
  double top_of(Index row) const;
  double page_width() const;
  double page_height() const;
};

/// Throws Error if there are more panels than a picture shows. `is_square` asks for panels as high as wide. Between the
/// title of the page and the panels there is room for so many lines.
PanelGrid panel_grid(Index columns, Index rows, bool is_square, Index lines_above = 0);

/// A panel under construction, with linear axes. What lies outside is cut off.
class Panel {
 public:
  Panel(const PanelGrid& grid, Index column, Index row, const Range& x, const Range& y);

  const Axis& x() const { return x_; }
  const Axis& y() const { return y_; }

  /// Two lines above the panel: a title, and figures in small type.
  void title(const std::string& words, const std::string& figures = "");
  /// Lines at round numbers with the numbers beside the panel; a step of zero is chosen by the range.
  void scales(const std::string& x_quantity, const std::string& y_quantity, double x_step = 0, double y_step = 0);
  /// The same where x are logarithms to base 10: lines at decades, and between them where there are few.
  void log_scales(const std::string& x_quantity, const std::string& y_quantity);
  void curve(const std::vector<double>& x, const std::vector<double>& y, const char* colour, double line = 1.8,
             const char* dashes = "");
  void horizontal_line(double y, const char* colour, const char* dashes = "");
  void vertical_line(double x, const char* colour, const char* dashes = "");
  void cross(double x, double y, const char* colour);
  void dot(double x, double y, const char* colour);
  /// An arrow head on a curve, from one point towards another.
  void arrow(double from_x, double from_y, double to_x, double to_y, const char* colour);
  /// A word inside of the panel.
  void word(double x, double y, const std::string& words, const char* anchor = "start");

  void add_to(Svg& page) const;

 private:
  void vertical_tick(double x, const char* colour, const std::string& number);
  void y_scale(const std::string& quantity, double step);

  double left_, top_, width_, height_;
  Axis x_, y_;
  Svg outside_, inside_;
};

/// The range with some of its size more on both sides, or around a single value.
Range with_margin(const Range& range, double part);

}  // namespace stillpoint::plot
