#include "forms/relative_motions.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/at.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXd;

constexpr double rounding = std::numeric_limits<double>::epsilon();

// Relative to the largest remaining entry without units: displacements are preferred to angles as unknowns of a joint
// down to the first part; the second is zero.
constexpr double displacements_first = 0.01, nothing_left = 1e-8;

/// A y = b with some unknowns free:  y_solved = −F y_free + U b.
struct Solved {
  std::vector<Index> solved, free;
  MatrixXd F, U;
};

/// The next pivot among the remaining rows: the largest entry, displacements first.
struct Pivot {
  Index row = -1, column = -1;
  double size = 0;
};
Pivot find_pivot(const MatrixXd& A, Index done, const std::vector<char>& is_solved, Index first_turn) {
  Pivot displacement, any;
  for (Index j = 0; j < A.cols(); ++j) {
    if (is_solved[at(j)]) continue;
    for (Index i = done; i < A.rows(); ++i) {
      const double size = std::abs(A(i, j));
      if (size > any.size) any = {i, j, size};
      if (j < first_turn && size > displacement.size) displacement = {i, j, size};
    }
  }
  return displacement.size >= displacements_first * any.size ? displacement : any;
}

/// Eliminates by the Gauss–Jordan method. Returns nothing if rows depend on each other.
std::optional<Solved> solve_for_some(MatrixXd A, Index first_turn) {
  const Index rows = static_cast<Index>(A.rows()), columns = static_cast<Index>(A.cols());
  MatrixXd U = MatrixXd::Identity(rows, rows);
  Solved result;
  std::vector<char> is_solved(at(columns), 0);
  for (Index k = 0; k < rows; ++k) {
    const Pivot pivot = find_pivot(A, k, is_solved, first_turn);
    if (!(pivot.size > nothing_left)) return std::nullopt;
    A.row(k).swap(A.row(pivot.row));
    U.row(k).swap(U.row(pivot.row));
    const double by = A(k, pivot.column);
    A.row(k) /= by;
    U.row(k) /= by;
    for (Index i = 0; i < rows; ++i) {
      if (i == k) continue;
      const double times = A(i, pivot.column);
      A.row(i) -= times * A.row(k);
      U.row(i) -= times * U.row(k);
    }
    is_solved[at(pivot.column)] = 1;
    result.solved.push_back(pivot.column);
  }
  for (Index j = 0; j < columns; ++j) {
    if (!is_solved[at(j)]) result.free.push_back(j);
  }
  result.F.resize(rows, static_cast<Index>(result.free.size()));
  for (std::size_t f = 0; f < result.free.size(); ++f) result.F.col(static_cast<Index>(f)) = A.col(result.free[f]);
  result.U = std::move(U);
  return result;
}

/// The coordinates of a block as functions of the relative motions, without units.
struct BlockMotion {
  std::vector<Index> motions;
  MatrixXd X;  ///< coordinates × motions

  /// Adds a motion that moves no coordinate yet.
  auto add(Index motion) {
    motions.push_back(motion);
    X.conservativeResize(Eigen::NoChange, X.cols() + 1);
    X.rightCols(1).setZero();
    return X.col(X.cols() - 1);
  }
};

class Walk {
 public:
  Walk(const JointTree& tree, const ScaledConstraints& constraints, const SparseMatrix& G, std::int64_t most_entries)
      : tree_(tree),
        constraints_(constraints),
        carried_rows_(tree.carried.transpose()),
        rows_(constraints.S.transpose()),
        inputs_(constraints.scaled(G).transpose()),
        most_entries_(most_entries),
        is_met_(at(constraints.rank()), 0) {
    place_.assign(at(constraints.coordinates()), {-1, -1});
    for (Index b = 0; b < static_cast<Index>(tree.blocks.size()); ++b) {
      for (Index i = 0; i < tree.blocks[at(b)].size; ++i) place_[at(tree.blocks[at(b)].first + i)] = {b, i};
    }
  }

  RelativeMotions walked() {
    for (Index b = 0; b < static_cast<Index>(tree_.blocks.size()); ++b) {
      add_block(b);
      count_entries(b);
    }
    RelativeMotions result{std::move(motions_), {}, {}};
    result.R = gathered(result.motions);
    for (Index i = 0; i < constraints_.rank(); ++i) {
      if (!is_met_[at(i)]) result.closing.push_back(constraints_.independent[at(i)]);
    }
    return result;
  }

 private:
  struct Place {
    Index block, component;
  };

  void add_block(Index b) {
    const JointTree::Block& block = tree_.blocks[at(b)];
    BlockMotion here;
    if (block.parent >= 0) {
      here.motions = block_motions_[at(block.parent)].motions;
      here.X = carried(b) * block_motions_[at(block.parent)].X;
    } else {
      here.X.resize(block.size, 0);
    }
    if (!let_by_joint(b, here)) {
      for (Index i = 0; i < block.size; ++i) here.add(new_motion(b, i))[i] = 1;
    }
    block_motions_.push_back(std::move(here));
  }

  /// Adds the motions that a joint leaves free, and the part that it determines. Returns false if the joint cannot be
  /// solved.
  bool let_by_joint(Index b, BlockMotion& here) {
    const JointTree::Block& block = tree_.blocks[at(b)];
    const std::vector<Index> rows = rows_of(block);
    const Index r = static_cast<Index>(rows.size());
    MatrixXd A = MatrixXd::Zero(r, block.size);
    MatrixXd A_parent = MatrixXd::Zero(r, block.parent >= 0 ? tree_.blocks[at(block.parent)].size : 0);
    for (Index k = 0; k < r; ++k) {
      if (SparseMatrix::InnerIterator(inputs_, rows[at(k)])) return false;
      for (SparseMatrix::InnerIterator entry(rows_, rows[at(k)]); entry; ++entry) {
        const auto [owner, component] = place_[at(entry.row())];
        if (owner == b) A(k, component) = entry.value();
        else if (owner >= 0 && owner == block.parent) A_parent(k, component) = entry.value();
        else return false;
      }
    }
    const std::optional<Solved> joint = solve_for_some(A, block.size - block.turns);
    if (!joint) return false;

    MatrixXd asked = -A * here.X;
    if (block.parent >= 0) asked -= A_parent * block_motions_[at(block.parent)].X;
    const MatrixXd answered = joint->U * asked;
    for (Index k = 0; k < r; ++k) here.X.row(joint->solved[at(k)]) += answered.row(k);
    for (std::size_t f = 0; f < joint->free.size(); ++f) {
      auto column = here.add(new_motion(b, joint->free[f]));
      column[joint->free[f]] = 1;
      for (Index k = 0; k < r; ++k) column[joint->solved[at(k)]] = -joint->F(k, static_cast<Index>(f));
    }
    for (const Index row : rows) is_met_[at(row)] = 1;
    return true;
  }

  /// Returns the equations of the block that are among the independent ones.
  std::vector<Index> rows_of(const JointTree::Block& block) const {
    const std::vector<Index>& all = constraints_.independent;
    std::vector<Index> rows;
    for (auto row = std::lower_bound(all.begin(), all.end(), block.first_row);
         row != all.end() && *row < block.first_row + block.rows; ++row) {
      rows.push_back(static_cast<Index>(row - all.begin()));
    }
    return rows;
  }

  // Returns T_b without units.
  MatrixXd carried(Index b) const {
    const JointTree::Block &block = tree_.blocks[at(b)], &parent = tree_.blocks[at(block.parent)];
    MatrixXd T = MatrixXd::Zero(block.size, parent.size);
    for (Index i = 0; i < block.size; ++i) {
      for (SparseMatrix::InnerIterator entry(carried_rows_, block.first + i); entry; ++entry) {
        const int units = unit_of(static_cast<Index>(entry.row())) - unit_of(block.first + i);
        T(i, entry.row() - parent.first) = std::ldexp(entry.value(), units);
      }
    }
    return T;
  }

  /// Returns the unit of a coordinate as an exponent of two.
  int unit_of(Index coordinate) const { return constraints_.columns[at(coordinate)]; }

  Index new_motion(Index b, Index component) {
    motions_.push_back({tree_.blocks[at(b)].first + component, b});
    return static_cast<Index>(motions_.size()) - 1;
  }

  void count_entries(Index b) {
    entries_ += block_motions_[at(b)].X.size();
    if (entries_ <= most_entries_) return;
    throw Error(
        fmt::format("the basis of relative motions in a tree of {} blocks has more than {} entries: choose a partition",
                    tree_.blocks.size(), most_entries_));
  }

  // Returns R in the units of q, without the rounding of zeros.
  SparseMatrix gathered(const std::vector<RelativeMotions::Motion>& motions) const {
    std::vector<double> largest(motions.size(), 0.0);
    for (const BlockMotion& block_motion : block_motions_) {
      for (std::size_t c = 0; c < block_motion.motions.size(); ++c) {
        double& of_column = largest[at(block_motion.motions[c])];
        of_column = std::max(of_column, block_motion.X.col(static_cast<Index>(c)).lpNorm<Eigen::Infinity>());
      }
    }
    std::vector<Eigen::Triplet<double, Index>> entries;
    for (std::size_t b = 0; b < block_motions_.size(); ++b) {
      const BlockMotion& block_motion = block_motions_[b];
      for (std::size_t c = 0; c < block_motion.motions.size(); ++c) {
        const Index motion = block_motion.motions[c];
        for (Index i = 0; i < tree_.blocks[b].size; ++i) {
          const double value = block_motion.X(i, static_cast<Index>(c));
          if (!(std::abs(value) > rounding * largest[at(motion)])) continue;
          const Index row = tree_.blocks[b].first + i;
          entries.emplace_back(row, motion, std::ldexp(value, unit_of(row) - unit_of(motions[at(motion)].coordinate)));
        }
      }
    }
    SparseMatrix R(constraints_.coordinates(), static_cast<Index>(motions.size()));
    R.setFromTriplets(entries.begin(), entries.end());
    return R;
  }

  const JointTree& tree_;
  const ScaledConstraints& constraints_;
  const SparseMatrix carried_rows_;   // one column for each row
  const SparseMatrix rows_, inputs_;  // one column for each constraint
  const std::int64_t most_entries_;
  std::vector<char> is_met_;
  std::vector<Place> place_;  // of each coordinate
  std::vector<RelativeMotions::Motion> motions_;
  std::vector<BlockMotion> block_motions_;  // of each block
  std::int64_t entries_ = 0;
};

}  // namespace

RelativeMotions relative_motions(const JointTree& tree, const ScaledConstraints& constraints, const SparseMatrix& G,
                                 std::int64_t most_entries) {
  return Walk(tree, constraints, G, most_entries).walked();
}

}  // namespace stillpoint
