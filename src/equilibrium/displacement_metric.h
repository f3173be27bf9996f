// The metric in which the assembly problem seeks the nearest state: how much a displacement changes the shape of a
// mechanism, and not how far it moves it.
//
//   xᵀ H x = Σ |turns|² + Σ over coupled pairs (a, b) |u_a − u_b|² + ε Σ |u|²
//
// with rotations in radians and translations u in typical lengths: the graph Laplacian of the coupled blocks acts on
// their translations. The far end of a chain of N links follows when the others turn; if its whole way of order N
// counted, as in the norm |x|, the least step would bend every link sharply to save it.
#pragma once

#include <utility>
#include <vector>

#include "equilibrium/scales.h"

namespace stillpoint {

class DisplacementMetric {
 public:
  /// Finds the coupled blocks: those of which a row of J or of K has entries. A block with a constraint to the ground
  /// is coupled with the ground.
  DisplacementMetric(const Model& model, const Matrices& at);

  /// Returns S⁻¹ H S⁻¹, symmetric and positive definite (n × n). Coordinates that are held count a million times as
  /// much.
  SparseMatrix matrix(const Scales& scales, const std::vector<Index>& held) const;

  /// The largest rotation (rad) or difference of two coupled translations (in typical lengths) of a displacement x. A
  /// block that is coupled with no other counts by its own translation.
  double largest_change(const Eigen::VectorXd& x) const;

 private:
  Model model_;
  std::vector<std::pair<Index, Index>> pairs_;  // coupled blocks; the first may be the ground
};

}  // namespace stillpoint
