// Block diagonalization by Sylvester's equation [Bavely & Stewart 1979]. With T₁₁ X − X T₂₂ = −T₁₂ the columns V₁ and
// V₁ X + V₂ of a Schur form span invariant subspaces; W₁ − W₂ Xᵀ and W₂ are the corresponding left bases.
#pragma once

#include <complex>
#include <vector>

#include "algebra/dense/schur.h"

namespace stillpoint {

/// The right basis V, the left basis W and the block A of an invariant subspace.
struct SplitPart {
  Eigen::MatrixXd V, W, A;
  std::vector<std::complex<double>> s;  ///< its eigenvalues, Im ≥ 0
};

/// Splits a matrix into blocks one by one. A block includes all eigenvalues that cannot be separated from its first
/// one.
class Splitting {
 public:
  explicit Splitting(const Eigen::MatrixXd& A);

  bool is_done() const { return form_.order() == 0; }

  /// Splits off the block of the eigenvalue that comes first in the Schur form.
  SplitPart next();
  /// Splits off a block with at least so many states, one or more, which are those of the smallest eigenvalues.
  SplitPart next_smallest(Eigen::Index least);

 private:
  void reset();
  bool move(Eigen::Index from, Eigen::Index to);
  SplitPart separated(Eigen::Index size);
  SplitPart taken(Eigen::Index size, const Eigen::MatrixXd& X);

  SchurForm form_;  ///< of the remaining matrix; Q holds the exchanges since the last split
  Eigen::MatrixXd V_, W_;
  bool is_moved_ = false;
};

}  // namespace stillpoint
