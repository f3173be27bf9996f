#include "sparsity/spy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/at.h"

namespace stillpoint {

namespace {

/// Counts the entries in each cell.
class Cells {
 public:
  explicit Cells(Index size) {
    spy_.size = size;
    spy_.width = std::max<Index>(1, (size + Spy::most_cells - 1) / Spy::most_cells);
    counts_.assign(at(spy_.cells()) * at(spy_.cells()), 0);
  }

  void add(Index i, Index j) {
    ++spy_.entries;
    ++counts_[at(i / spy_.width) * at(spy_.cells()) + at(j / spy_.width)];
  }

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

/// Calls visit(i, j) for every entry of L below the diagonal, row by row: a row of L is the part of the elimination
/// tree between the entries of A in that row and the diagonal [Liu 1990].
template <class Visit>
void for_factor_entries(const PatternGraph& graph, const EliminationTree& tree, const Visit& visit) {
  std::vector<Index> seen_by(tree.node.size(), -1);
  for (Index i = 0; i < graph.size(); ++i) {
    seen_by[i] = i;
    const Index row = tree.node[i];
    for (Index e = graph.starts[row]; e < graph.starts[row + 1]; ++e) {
      for (Index j = tree.place[graph.neighbours[e]]; j < i && seen_by[j] != i; j = tree.parent[j]) {
        seen_by[j] = i;
        visit(i, j);
      }
    }
  }
}

/// Adjacent cells of one shade in a row.
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

/// Returns black for the darkest shade, and a still visible grey for a single entry.
std::string colour(int shade) {
  constexpr int palest = 0xc8;
  const int value = palest * (Spy::darkest - shade) / (Spy::darkest - 1);
  return fmt::format("#{0:02x}{0:02x}{0:02x}", value);
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

// A run is drawn as a line slightly wider than a cell is high, so that no seam shows between rows.
void add_pattern(Svg& svg, double x, double y, double side, const Spy& spy) {
  if (spy.size == 0) return;
  const double pixel = spy.cells() / side, overlap = std::min(0.05, pixel / 4);
  std::string marks =
      fmt::format("<g transform=\"translate({:g} {:g}) scale({:.6g}) translate(0 .5)\" stroke-width=\"{:.4g}\">\n", x,
                  y, 1 / pixel, 1 + overlap);
  for (int shade = 1; shade <= Spy::darkest; ++shade) {
    const std::vector<Run> runs = runs_of(spy, shade);
    if (runs.empty()) continue;
    marks += fmt::format("<path stroke=\"{}\" d=\"", colour(shade));
    Index pen = 0, row = 0;
    for (const Run& run : runs) {
      marks += fmt::format("m{} {}h{}", run.begin - pen, run.row - row, run.end - run.begin);
      pen = run.end;
      row = run.row;
    }
    marks += "\"/>\n";
  }
  svg.add(marks + "</g>\n");
}

}  // namespace stillpoint
