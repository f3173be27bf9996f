#include "linearize/mass_rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace stillpoint {

namespace {

// A rotation and an inertia are each a sum of a few products.
constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();

/// The number of coordinates of a block that are components of its position; rotation mixes these with each other, and
/// those that follow with each other.
Index components_of_position(BlockKind kind) {
  switch (kind) {
    case BlockKind::body:
    case BlockKind::node:
      return 2;
    case BlockKind::space_body:
      return 3;
    default:
      return coordinates_of(kind);
  }
}

}  // namespace

SparseMatrix without_rounding(const SparseMatrix& M, const Model& model) {
  Eigen::VectorXd T = M.diagonal();
  const auto share_largest = [&T](Index first, Index count) {
    if (count > 0) T.segment(first, count).setConstant(T.segment(first, count).maxCoeff());
  };
  for (const Block& block : model.blocks()) {
    const Index position = components_of_position(block.kind);
    share_largest(block.first, position);
    share_largest(block.first + position, coordinates_of(block.kind) - position);
  }
  const Eigen::VectorXd size = T.cwiseMax(0).cwiseSqrt();
  std::vector<char> has_mass(static_cast<std::size_t>(M.cols()), 0);
  for (Index j = 0; j < M.cols(); ++j) {
    for (SparseMatrix::InnerIterator entry(M, j); entry; ++entry) {
      if (std::abs(entry.value()) <= rounding * size[entry.row()] * size[j]) continue;
      has_mass[static_cast<std::size_t>(j)] = has_mass[static_cast<std::size_t>(entry.row())] = 1;
    }
  }
  SparseMatrix kept = M;
  kept.prune([&has_mass](Index i, Index j, double) {
    return has_mass[static_cast<std::size_t>(i)] && has_mass[static_cast<std::size_t>(j)];
  });
  return kept;
}

}  // namespace stillpoint
