// Spy plots: each matrix beside its factor, and the leading matrices of the three forms side by side, as in Fig. 5 of
// [González 2017].

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/whole_file.h"
#include "sparsity/spy.h"
#include "sparsity/spy_pictures.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

constexpr double side = 384, gap = 32, margin = 24;
constexpr double largest_cell = 24;  // in pixels; a matrix of one entry must not look like a full one
constexpr double title_size = 15, note_size = 12, line_height = 18;
constexpr double head = 3 * line_height + 8;  // the lines of text above each pattern

std::string count(std::int64_t entries) { return fmt::format("{} {}", entries, entries == 1 ? "entry" : "entries"); }

void add_panel(Svg& svg, double x, double y, const std::string& title, const std::string& note,
               const std::optional<Spy>& spy) {
  svg.text(x, y + line_height, title_size, title);
  svg.text(x, y + 2 * line_height, note_size, note);
  if (spy && spy->width > 1) {
    svg.text(x, y + 3 * line_height, note_size,
             fmt::format("cells of {0} × {0}, the darker the more entries", spy->width));
  }
  const double shown = spy ? std::min(side, largest_cell * spy->cells()) : side;
  svg.frame(x, y + head, shown);
  if (spy) add_pattern(svg, x, y + head, shown, *spy);
}

void add_matrix(Svg& svg, double x, double y, const MatrixSparsity& matrix) {
  std::string note = fmt::format("{0} × {0}, ", matrix.size);
  if (matrix.predicted) note += fmt::format("up to {:.2g} entries: not formed", static_cast<double>(matrix.entries));
  else note += count(matrix.entries);
  add_panel(svg, x, y, fmt::format("{} = {}", matrix.name, matrix.formula), note, matrix.picture);
}

void add_factor(Svg& svg, double x, double y, const MatrixSparsity& matrix) {
  std::string note = "unknown";
  if (matrix.factor_picture) note = count(matrix.factor_picture->entries);
  else if (matrix.amd.is_known()) note = count(matrix.amd.entries) + ": too many to draw";
  else if (matrix.picture) note = "too many to draw";
  add_panel(svg, x, y, fmt::format("L of {}, rows in the order of AMD", matrix.name), note, matrix.factor_picture);
}

constexpr double panel_width = side + gap, panel_height = head + side + gap;

std::string side_by_side(const SparsityReport& report, const MatrixSparsity& matrix) {
  Svg svg;
  add_matrix(svg, margin, margin, matrix);
  add_factor(svg, margin + panel_width, margin, matrix);
  return svg.finish(2 * margin + 2 * panel_width - gap, 2 * margin + panel_height - gap,
                    fmt::format("{}: {} and its factor", report.name, matrix.name));
}

std::string three_forms(const SparsityReport& report) {
  Svg svg;
  double x = margin;
  for (const MatrixSparsity* matrix : {&report.M_r, &report.M_q, &report.M_p}) {
    add_matrix(svg, x, margin, *matrix);
    add_factor(svg, x, margin + panel_height, *matrix);
    x += panel_width;
  }
  return svg.finish(2 * margin + 3 * panel_width - gap, 2 * margin + 2 * panel_height - gap,
                    fmt::format("{}: leading matrices of MCS, RCS and UCS, and their factors", report.name));
}

}  // namespace

std::vector<SpyPicture> spy_pictures(const SparsityReport& report) {
  return {{"M_r", side_by_side(report, report.M_r)},
          {"M_q", side_by_side(report, report.M_q)},
          {"M_p", side_by_side(report, report.M_p)},
          {"mcs", side_by_side(report, report.mcs)},
          {"rcs", side_by_side(report, report.rcs)},
          {"ucs", side_by_side(report, report.ucs)},
          {"masses", three_forms(report)}};
}

std::vector<std::string> write_spy(const SparsityReport& report, const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw Error(fmt::format("the folder {} cannot be created: {}", folder, failed.message()));
  std::vector<std::string> paths;
  for (const SpyPicture& picture : spy_pictures(report)) {
    paths.push_back((std::filesystem::path(folder) / (picture.name + ".svg")).string());
    write_whole_file(paths.back(), picture.svg);
  }
  return paths;
}

}  // namespace stillpoint
