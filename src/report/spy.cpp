#include "report/spy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/at.h"

namespace stillpoint {

namespace {

/// Counts entries by cell.
class Cells {
 public:
  explicit Cells(Index size) {
    spy_.size = size;
    spy_.width = std::max<Index>(1, (size + Spy::most_cells - 1) / Spy::most_cells);
    counts_.assign(at(spy_.cells()) * at(spy_.cells()), 0);
  }

  void add(Index i, Index j) { ++counts_[at(i / spy_.width) * at(spy_.cells()) + at(j / spy_.width)]; }

  Spy shaded() && {
    spy_.shades.resize(counts_.size());
    std::transform(counts_.begin(), counts_.end(), spy_.shades.begin(), [this](std::int64_t c) { return shade(c); });
    return std::move(spy_);
  }

 private:
  unsigned char shade(std::int64_t count) const {
    if (count == 0) return 0;
    if (spy_.width == 1) return Spy::darkest;
    const double part = std::log(static_cast<double>(count)) / (2 * std::log(static_cast<double>(spy_.width)));
    return static_cast<unsigned char>(1 + std::lround((Spy::darkest - 1) * std::min(1.0, part)));
  }

  Spy spy_;
  std::vector<std::int64_t> counts_;
};

/// Cells of one shade that lie side by side.
struct Run {
  Index row, begin, end;
};

std::vector<Run> runs_of(const Spy& spy, int shade) {
  std::vector<Run> runs;
  const Index cells = spy.cells();
  for (Index row = 0; row < cells; ++row) {
    const auto* const line = &spy.shades[at(row) * at(cells)];
    for (Index begin = 0; begin < cells; ++begin) {
      if (line[begin] != shade) continue;
      Index end = begin + 1;
      while (end < cells && line[end] == shade) ++end;
      runs.push_back({row, begin, end});
      begin = end;
    }
  }
  return runs;
}

/// Black for the darkest, a grey that is still seen for a single entry.
std::string colour(int shade) {
  constexpr int palest = 0xc8;
  const int value = palest * (Spy::darkest - shade) / (Spy::darkest - 1);
  return fmt::format("#{0:02x}{0:02x}{0:02x}", value);
}

std::string escaped(const std::string& words) {
  std::string text;
  for (const char c : words) {
    if (c == '&') text += "&amp;";
    else if (c == '<') text += "&lt;";
    else if (c == '>') text += "&gt;";
    else if (c == '"') text += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20) text += c;  // XML knows no control characters
  }
  return text;
}

}  // namespace

Spy spy(const SparseMatrix& A) {
  Cells cells(static_cast<Index>(A.cols()));
  for (Index j = 0; j < A.cols(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      if (entry.value() != 0) cells.add(static_cast<Index>(entry.row()), j);
    }
  }
  return std::move(cells).shaded();
}

Spy spy_factor(const PatternGraph& graph, const EliminationTree& tree) {
  Cells cells(graph.size());
  for (Index i = 0; i < graph.size(); ++i) cells.add(i, i);
  for_factor_entries(graph, tree, [&](Index i, Index j) { cells.add(i, j); });
  return std::move(cells).shaded();
}

void Svg::text(double x, double y, double size, const std::string& words, const char* anchor) {
  const std::string place = anchor == std::string("start") ? "" : fmt::format(" text-anchor=\"{}\"", anchor);
  content_ +=
      fmt::format("<text x=\"{:g}\" y=\"{:g}\" font-size=\"{:g}\"{}>{}</text>\n", x, y, size, place, escaped(words));
}

void Svg::frame(double x, double y, double side) { frame(x, y, side, side); }

void Svg::frame(double x, double y, double width, double height) {
  content_ +=
      fmt::format("<rect x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\" fill=\"none\" stroke=\"#888\"/>\n", x, y,
                  width, height);
}

void Svg::curve(const std::vector<std::pair<double, double>>& points, const std::string& colour, double width) {
  content_ += fmt::format("<path fill=\"none\" stroke=\"{}\" stroke-width=\"{:g}\" d=\"", colour, width);
  bool is_drawing = false;
  for (const auto& [x, y] : points) {
    const bool is_point = std::isfinite(x) && std::isfinite(y);
    if (is_point) content_ += fmt::format("{}{:.2f} {:.2f}", is_drawing ? 'L' : 'M', x, y);
    is_drawing = is_point;
  }
  content_ += "\"/>\n";
}

// A run is a line as thick as a cell is high, and a little thicker, so that no seam shows between two rows.
void Svg::pattern(double x, double y, double side, const Spy& spy) {
  if (spy.size == 0) return;
  const double pixel = spy.cells() / side, overlap = std::min(0.05, pixel / 4);
  content_ +=
      fmt::format("<g transform=\"translate({:g} {:g}) scale({:.6g}) translate(0 .5)\" stroke-width=\"{:.4g}\">\n", x,
                  y, 1 / pixel, 1 + overlap);
  for (int shade = 1; shade <= Spy::darkest; ++shade) {
    const std::vector<Run> runs = runs_of(spy, shade);
    if (runs.empty()) continue;
    content_ += fmt::format("<path stroke=\"{}\" d=\"", colour(shade));
    Index pen = 0, row = 0;
    for (const Run& run : runs) {
      content_ += fmt::format("m{} {}h{}", run.begin - pen, run.row - row, run.end - run.begin);
      pen = run.end;
      row = run.row;
    }
    content_ += "\"/>\n";
  }
  content_ += "</g>\n";
}

std::string Svg::finish(double width, double height, const std::string& title) const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} {1:g}\" "
      "font-family=\"sans-serif\">\n<title>{2}</title>\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"#fff\"/>\n{3}</svg>\n",
      width, height, escaped(title), content_);
}

}  // namespace stillpoint
