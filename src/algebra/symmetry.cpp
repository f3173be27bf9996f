#include "algebra/symmetry.h"

namespace stillpoint {

double largest_entry(const SparseMatrix& A) { return A.nonZeros() > 0 ? A.coeffs().abs().maxCoeff() : 0; }

bool is_symmetric(const SparseMatrix& A, double rounding) {
  const SparseMatrix transposed = A.transpose();
  return largest_entry(SparseMatrix(A - transposed)) <= rounding * largest_entry(A);
}

}  // namespace stillpoint
