// A sparse LU factorisation in use (KLU): the pattern is analysed once, numbers may be put in again and again.
#pragma once

#include <memory>

#include "stillpoint/sparse.h"

namespace stillpoint {

class SparseLu {
 public:
  /// Orders and analyses a square pattern. Throws std::bad_alloc if memory ends.
  explicit SparseLu(const SparseMatrix& pattern);
  ~SparseLu();
  SparseLu(const SparseLu&) = delete;
  SparseLu& operator=(const SparseLu&) = delete;

  /// Takes numbers in the analysed pattern; A must outlive the factorisation. False if A is singular to working
  /// precision: solve() must then not be called.
  bool factor(const SparseMatrix& A);

  /// x with A x = b, refined until its residual is at rounding level or falls no further.
  Eigen::VectorXd solve(const Eigen::VectorXd& b);

  int factorisations() const { return factorisations_; }

 private:
  struct Klu;

  bool factor_with_new_pivots();

  std::unique_ptr<Klu> klu_;
  const SparseMatrix* matrix_ = nullptr;
  int factorisations_ = 0;
};

}  // namespace stillpoint
