// Sparse orthogonal factorisation of Sᵀ, one column for each row of S (a constraint), without keeping the orthogonal
// factor:
//
//   Sᵀ = Q (R + E),   R upper triangular by position, in the rows of its live positions; ‖E‖ ≤ dropped
//
// A position is dead if, once it is its turn, no more than `dead` is left of its column (Heath), or if it was dropped
// beforehand; what is left goes into E. With R = [R₁₁ R₁₂] for live and dead columns, the combinations R₁₁ c = R₁₂
// give the dependent rows of S from the others, to within E.
// Multifrontal: rows of Sᵀ meet in dense fronts along the tree of columns, so time does not depend on their order and
// is linear for chains. One column with a million entries is only one more column in each front; one *row* of Sᵀ with
// as many would fill R: split it first.
#pragma once

#include <cstdint>
#include <vector>

#include "algebra/column_tree.h"
#include "base/at.h"

namespace stillpoint {

class SparseQr {
 public:
  struct Options {
    double dead = 0;
    std::vector<Index> late;     ///< rows of S that are put at the end of the order
    std::vector<Index> dropped;  ///< rows of S that are put behind those and declared dead
  };

  /// `order`: all rows of S, as from fill_reducing_order.
  SparseQr(const SparseMatrix& S, const SparseMatrix& S_transposed, std::vector<Index> order, const Options& options);

  const ColumnTree& tree() const { return tree_; }
  Index live() const { return live_; }
  bool is_live(Index position) const { return ends_[position] > starts_[position]; }
  double diagonal(Index position) const { return values_[at(starts_[position])]; }
  double dropped() const { return dropped_; }  ///< ‖E‖, Frobenius: the next singular value is no larger
  std::int64_t entries() const { return static_cast<std::int64_t>(columns_.size()); }

  /// In place, by position; entries of dead positions come out as zero.
  void solve(Eigen::VectorXd& x) const;             ///< R₁₁ x
  void solve_transposed(Eigen::VectorXd& x) const;  ///< R₁₁ᵀ x

  /// Calls visit(position, value) for the entries of one live row, the diagonal first.
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
  std::vector<std::int64_t> starts_, ends_;  // of each position's row; empty if it is dead
  std::vector<Index> columns_;
  std::vector<double> values_;
};

}  // namespace stillpoint
