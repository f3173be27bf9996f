// Patterns seen from far away, and their pictures.
#pragma once

#include <string>

#include "report/sparsity_counts.h"

namespace stillpoint {

Spy spy(const SparseMatrix& A);
Spy spy_factor(const PatternGraph& graph, const EliminationTree& tree);

/// A drawing in the making, in user units of one pixel.
class Svg {
 public:
  void text(double x, double y, double size, const std::string& words);
  void frame(double x, double y, double side);
  /// The pattern in a square.
  void pattern(double x, double y, double side, const Spy& spy);
  /// Title: for readers who do not see it.
  std::string finish(double width, double height, const std::string& title) const;

 private:
  std::string content_;
};

}  // namespace stillpoint
