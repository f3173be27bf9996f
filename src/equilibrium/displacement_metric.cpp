#include "equilibrium/displacement_metric.h"

#include <algorithm>
#include <cmath>

#include "base/at.h"

namespace stillpoint {

namespace {

constexpr double of_common_translations = 1e-6;  // ε: keeps H regular where a mechanism floats
constexpr double of_held = 1e6;

// Nodes of floating frames have displacements relative to their frame, so that they do not follow a motion of it.
Index translations_of(BlockKind kind) {
  if (kind == BlockKind::scalar || kind == BlockKind::node) return 0;
  return in_space(kind) ? 3 : 2;
}

/// The blocks that translate, found by their coordinates.
class Translating {
 public:
  explicit Translating(const Model& model) : blocks_(model.blocks()), of_(at(model.coordinates()), -1) {
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      if (translations_of(blocks_[b].kind) == 0) continue;
      const auto first = of_.begin() + blocks_[b].first;
      std::fill(first, first + coordinates_of(blocks_[b].kind), static_cast<Index>(b));
    }
  }

  /// The block of a coordinate; −1 if it does not translate.
  Index block_of(Index coordinate) const { return of_[at(coordinate)]; }
  const Block& block(Index b) const { return blocks_[at(b)]; }

 private:
  const std::vector<Block>& blocks_;
  std::vector<Index> of_;
};

constexpr Index the_ground = -1;
using Pairs = std::vector<std::pair<Index, Index>>;

// A row of J couples its blocks one after the other.
void couple_by_constraints(const Translating& translating, const SparseMatrix& J, Pairs& pairs) {
  const SparseMatrix by_rows = J.transpose();
  for (Index row = 0; row < by_rows.cols(); ++row) {
    Index last = the_ground, blocks = 0;
    for (SparseMatrix::InnerIterator entry(by_rows, row); entry; ++entry) {
      const Index b = translating.block_of(static_cast<Index>(entry.row()));
      if (b < 0 || b == last) continue;
      if (blocks++ > 0) pairs.emplace_back(last, b);
      last = b;
    }
    if (blocks == 1) pairs.emplace_back(the_ground, last);
  }
}

void couple_by_forces(const Translating& translating, const SparseMatrix& K, Pairs& pairs) {
  for (Index j = 0; j < K.cols(); ++j) {
    const Index b = translating.block_of(j);
    if (b < 0) continue;
    for (SparseMatrix::InnerIterator entry(K, j); entry; ++entry) {
      const Index a = translating.block_of(static_cast<Index>(entry.row()));
      if (a >= 0 && a != b) pairs.emplace_back(std::min(a, b), std::max(a, b));
    }
  }
}

Pairs coupled_pairs(const Translating& translating, const Matrices& matrices) {
  Pairs pairs;
  couple_by_constraints(translating, matrices.J, pairs);
  couple_by_forces(translating, matrices.K, pairs);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

}  // namespace

DisplacementMetric::DisplacementMetric(const Model& model, const Matrices& at)
    : model_(model), pairs_(coupled_pairs(Translating(model), at)) {}

SparseMatrix DisplacementMetric::matrix(const Scales& scales, const std::vector<Index>& held) const {
  const std::vector<Block>& blocks = model_.blocks();
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (const Block& block : blocks) {
    for (Index i = 0; i < coordinates_of(block.kind); ++i) {
      entries.emplace_back(block.first + i, block.first + i,
                           i < translations_of(block.kind) ? of_common_translations : 1.0);
    }
  }
  for (const auto& [a, b] : pairs_) {
    for (Index i = 0; i < translations_of(blocks[at(b)].kind); ++i) {
      const Index to = blocks[at(b)].first + i;
      entries.emplace_back(to, to, 1.0);
      if (a == the_ground) continue;
      const Index from = blocks[at(a)].first + i;
      entries.emplace_back(from, from, 1.0);
      entries.emplace_back(from, to, -1.0);
      entries.emplace_back(to, from, -1.0);
    }
  }
  for (const Index i : held) entries.emplace_back(i, i, of_held);
  SparseMatrix H(model_.coordinates(), model_.coordinates());
  H.setFromTriplets(entries.begin(), entries.end());
  const Eigen::VectorXd inverse = scales.s.cwiseInverse();
  return SparseMatrix(inverse.asDiagonal() * H * inverse.asDiagonal());
}

double DisplacementMetric::largest_change(const Eigen::VectorXd& x) const {
  const std::vector<Block>& blocks = model_.blocks();
  std::vector<char> is_coupled(blocks.size(), 0);
  double most = 0;
  for (const auto& [a, b] : pairs_) {
    const Index size = translations_of(blocks[at(b)].kind), to = blocks[at(b)].first;
    is_coupled[at(b)] = 1;
    if (a != the_ground) is_coupled[at(a)] = 1;
    for (Index i = 0; i < size; ++i) {
      most = std::max(most, std::abs(x[to + i] - (a == the_ground ? 0 : x[blocks[at(a)].first + i])));
    }
  }
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const Index first = is_coupled[b] ? translations_of(blocks[b].kind) : 0;
    for (Index i = first; i < coordinates_of(blocks[b].kind); ++i)
      most = std::max(most, std::abs(x[blocks[b].first + i]));
  }
  return most;
}

}  // namespace stillpoint
