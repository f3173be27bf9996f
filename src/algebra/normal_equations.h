// Solves S Sᵀ y = b for a sparse S with independent rows, from the triangular factor of Sᵀ alone.
//
// Without refinement the relative error is about cond(S)² ε; callers correct it with residuals in S (corrected
// seminormal equations), which gains as many digits at each step.
#pragma once

#include "algebra/sparse_qr.h"
#include "algebra/split_columns.h"

namespace stillpoint {

class NormalEquations {
 public:
  explicit NormalEquations(SparseMatrix S);

  const SparseMatrix& S() const { return S_; }
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;

  /// x = Sᵀ y with S x = b.
  Eigen::VectorXd least_norm(const Eigen::VectorXd& b) const;

  /// y that minimises ‖Sᵀ y − f‖.
  Eigen::VectorXd least_squares(const Eigen::VectorXd& f) const;

 private:
  SparseMatrix S_;
  SplitColumns split_;
  SparseMatrix split_transposed_;
  SparseQr qr_;
};

}  // namespace stillpoint
