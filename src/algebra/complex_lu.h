// A sparse LU factorisation of complex matrices in use (KLU): the pattern is analysed once, numbers may be put in again
// and again.
#pragma once

#include <complex>
#include <memory>

#include "stillpoint/sparse.h"

namespace stillpoint {

using ComplexMatrix = Eigen::SparseMatrix<std::complex<double>, Eigen::ColMajor, Index>;

class ComplexLu {
 public:
  /// Orders and analyses a square pattern. Throws std::bad_alloc if memory ends.
  explicit ComplexLu(const ComplexMatrix& pattern);
  ~ComplexLu();
  ComplexLu(const ComplexLu&) = delete;
  ComplexLu& operator=(const ComplexLu&) = delete;

  /// Takes numbers in the analysed pattern; A must outlive the factorisation. False if A is singular to working
  /// precision: solve() must then not be called.
  bool factor(const ComplexMatrix& A);

  struct Solution {
    Eigen::MatrixXcd x;
    double backward_error = 0;  ///< max over columns of ‖b − A x‖ / (‖A‖ ‖x‖ + ‖b‖), largest entries and row sums
  };
  /// A x = b, refined until its residual is at rounding level or falls no further.
  Solution solve(const Eigen::MatrixXcd& b);

 private:
  struct Klu;

  bool factor_with_new_pivots();

  std::unique_ptr<Klu> klu_;
  const ComplexMatrix* matrix_ = nullptr;
  double norm_ = 0;  ///< the largest sum of absolute values in a row
};

}  // namespace stillpoint
