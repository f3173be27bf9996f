// Corrected seminormal equations [Björck 1987] for a sparse S with linearly independent rows.
//
//   S Sᵀ y = b,   S Sᵀ = Rᵀ R      S: m × n,  R: m × m, from a QR factorisation of Sᵀ without Q
//
// Without refinement the relative error is about cond(S)² ε. Each correction with a residual formed with S gains as
// many digits again.
#pragma once

#include "algebra/rank/sparse_qr.h"

namespace stillpoint {

class NormalEquations {
 public:
  explicit NormalEquations(SparseMatrix S);
  NormalEquations(const NormalEquations&) = delete;
  NormalEquations& operator=(const NormalEquations&) = delete;

  const SparseMatrix& S() const { return S_; }
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;

  /// Returns the solution of minimum norm, x = Sᵀ y with S x = b.
  Eigen::VectorXd least_norm(const Eigen::VectorXd& b) const;

  /// Returns the y that minimises ‖Sᵀ y − f‖.
  Eigen::VectorXd least_squares(const Eigen::VectorXd& f) const;

 private:
  SparseMatrix S_;
  SparseQr qr_;
};

}  // namespace stillpoint
