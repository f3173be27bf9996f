// Sparse LU factorisation whose elimination order has parts that are factored and solved with at the same time
// (parted_order.h). KLU chooses the pivots; later factorisations keep them.
//
//   P (R⁻¹ A) Q = L U
//
// Each part of L and U has its own columns. In a column of a part there are no rows of other parts, but those of the
// separators, where sums over the parts are formed in their order: results do not depend on the number of threads.
#pragma once

#include <memory>
#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

struct PartedOrder;

class PartedLu {
 public:
  /// Nothing if the pattern, which must be symmetric, has no such order.
  static std::unique_ptr<PartedLu> of(const SparseMatrix& pattern);
  ~PartedLu();

  /// Factors A with new pivots. Returns false if the matrix is exactly singular; there are no factors then. Throws
  /// std::bad_alloc.
  bool factor(const SparseMatrix& A);
  bool has_factors() const { return !pivots_.empty(); }
  /// Factors A with the pivots of the previous factorisation; false if one of them is zero.
  bool refactor(const SparseMatrix& A);
  void forget_factors();

  /// How many parts the factors have: one where pivots could not be chosen so that they are apart.
  Index parts() const { return static_cast<Index>(starts_.size()) - 2; }
  double pivot_ratio() const;        ///< of the smallest to the largest one
  double reciprocal_growth() const;  ///< the minimum over the columns of max |a_ij| / max |u_ij|, after scaling
  /// Solves A x = b for each column; b and x may be the same. The factors are read once for up to four of them.
  void solve(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x) const;

 private:
  /// The columns of a triangular factor without its diagonal; rows are positions, ascending.
  struct Triangle {
    std::vector<Index> starts, rows;
    std::vector<double> values;
  };
  struct Analysis;

  PartedLu(const SparseMatrix& pattern, PartedOrder order);

  Index separators() const { return starts_[starts_.size() - 2]; }  ///< position of the first one
  bool choose_pivots(const SparseMatrix& A);
  std::vector<int> parts_with_pivots() const;
  void take_patterns();
  bool parts_are_apart() const;
  void scale_rows(const SparseMatrix& A);
  bool refactor_columns(const SparseMatrix& A, Index begin, Index end, double& growth);
  // The entries of a row lie side by side in x.
  template <int count>
  void solve_together(const Eigen::Ref<const Eigen::MatrixXd>& from, Eigen::Ref<Eigen::MatrixXd> to) const;
  template <int count>
  void solve_lower(Index begin, Index end, double* x, double* separators) const;
  template <int count>
  void solve_upper(Index begin, Index end, double* x) const;

  std::unique_ptr<Analysis> analysis_;
  std::vector<Index> starts_;            ///< positions of the parts, the separators and the end
  std::vector<Index> rows_, positions_;  ///< of A at each position, and the position of each row
  std::vector<double> row_sizes_;        ///< R, for the rows of A
  Triangle lower_, upper_;
  std::vector<Index> lower_separators_;  ///< for each column of L, where its rows of the separators begin
  std::vector<double> pivots_;
  double growth_ = 0;
};

}  // namespace stillpoint
