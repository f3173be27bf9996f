// A matrix taken apart, block by block, by Sylvester's equation (Bavely and Stewart 1979): with T₁₁ X − X T₂₂ = −T₁₂
// the columns V₁ and V₁ X + V₂ of a Schur form are invariant, and W₁ − W₂ Xᵀ, W₂ go with them.
#pragma once

#include <complex>
#include <vector>

#include "algebra/schur.h"

namespace stillpoint {

/// Columns that a part takes with it, what multiplies them from the left, and its block.
struct SplitPart {
  Eigen::MatrixXd V, W, A;
  std::vector<std::complex<double>> s;  ///< its eigenvalues, Im ≥ 0
};

/// Takes the first block, and as many more as cannot be told from it, off what is left.
class Splitting {
 public:
  explicit Splitting(const Eigen::MatrixXd& A);

  bool is_done() const { return form_.order() == 0; }

  /// `least`: so many states at once, of the smallest eigenvalues.
  SplitPart next(Eigen::Index least = 1);

 private:
  void reset();
  bool move(Eigen::Index from, Eigen::Index to);
  SplitPart taken(Eigen::Index size, const Eigen::MatrixXd& X);

  SchurForm form_;  ///< of what is left; Q: what was exchanged since the last part was taken
  Eigen::MatrixXd V_, W_;
  bool is_moved_ = false;
};

}  // namespace stillpoint
