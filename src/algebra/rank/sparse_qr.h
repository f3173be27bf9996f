// Multifrontal sparse QR factorisation of Sᵀ by Householder reflections ([Liu 1986]; [Matstoms 1994]), without storing
// Q, with detection of dependent columns [Heath 1982].
//
//   Sᵀ = Q (R + E),   ‖E‖_F ≤ dropped      S: m × n;  R: upper triangular by position, one row for each live position
//
// The columns of Sᵀ are the rows of S, the constraints. A position is dead if no more than `dead` remains of its column
// when it is eliminated, or if it was dropped beforehand; the remainder goes into E. With R = [R₁₁ R₁₂] for live and
// dead columns, the solutions of R₁₁ c = R₁₂ express the dependent rows of S by the others, to within E.
//
// The rows of Sᵀ are assembled into dense fronts along the column elimination tree, so that the time does not depend on
// their order and is linear for chains. A column of Sᵀ with a million entries adds one column to each front. A row of
// Sᵀ with as many entries would fill R and must be split first (split_columns.h).
#pragma once

#include <cstdint>
#include <vector>

#include "algebra/ordering/column_tree.h"
#include "base/at.h"

namespace stillpoint {

class SparseQr {
 public:
  struct Options {
    double dead = 0;
    std::vector<Index> late;     ///< rows of S placed at the end of the order
    std::vector<Index> dropped;  ///< rows of S placed after those and declared dead
  };

  /// `order` is a permutation of the rows of S, such as that of fill_reducing_order().
  SparseQr(const SparseMatrix& S, const SparseMatrix& S_transposed, std::vector<Index> order, const Options& options);

  const ColumnTree& tree() const { return tree_; }
  Index live() const { return live_; }
  bool has_dead() const { return live_ < static_cast<Index>(tree_.order.size()); }
  bool is_live(Index position) const { return ends_[position] > starts_[position]; }
  double diagonal(Index position) const { return values_[at(starts_[position])]; }
  double dropped() const { return dropped_; }  ///< ‖E‖_F, an upper bound of the next singular value
  std::int64_t entries() const { return static_cast<std::int64_t>(columns_.size()); }

  /// The solutions overwrite x, which is ordered by position. Entries of dead positions become zero.
  void solve(Eigen::VectorXd& x) const;             ///< solves R₁₁ x = b
  void solve_transposed(Eigen::VectorXd& x) const;  ///< solves R₁₁ᵀ x = b

  /// Calls visit(position, value) for each entry of a live row of R, the diagonal entry first.
  template <class Visit>
  void for_row(Index position, const Visit& visit) const {
    for (std::int64_t k = starts_[position]; k < ends_[position]; ++k) {
      visit(columns_[at(k)], values_[at(k)]);
    }
  }

 private:
  friend class FrontalElimination;

  ColumnTree tree_;
  Index live_ = 0;
  double dropped_ = 0;
  std::vector<std::int64_t> starts_, ends_;  // begin and end of the row of each position; empty if it is dead
  std::vector<Index> columns_;
  std::vector<double> values_;
};

}  // namespace stillpoint
