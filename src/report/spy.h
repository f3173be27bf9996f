// Patterns seen from far away, and their pictures.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/sparsity_counts.h"

namespace stillpoint {

Spy spy(const SparseMatrix& A);
Spy spy_factor(const PatternGraph& graph, const EliminationTree& tree);

/// A drawing in the making, in user units of one pixel.
class Svg {
 public:
  /// `anchor`: "start", "middle" or "end" is at x.
  void text(double x, double y, double size, const std::string& words, const char* anchor = "start");
  void frame(double x, double y, double side);
  void frame(double x, double y, double width, double height);
  /// Straight from point to point; a point that is no number is a gap.
  void curve(const std::vector<std::pair<double, double>>& points, const std::string& colour, double width);
  /// The pattern in a square.
  void pattern(double x, double y, double side, const Spy& spy);
  /// Title: for readers who do not see it.
  std::string finish(double width, double height, const std::string& title) const;

 private:
  std::string content_;
};

}  // namespace stillpoint
