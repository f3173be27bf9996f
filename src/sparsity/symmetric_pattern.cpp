#include "sparsity/symmetric_pattern.h"

namespace stillpoint {

SparseMatrix symmetric_pattern(const SparseMatrix& A) {
  const SparseMatrix transposed = A.transpose();
  SparseMatrix pattern = (SparseMatrix(A.cwiseAbs()) + SparseMatrix(transposed.cwiseAbs())).pruned(0, 0);
  pattern.makeCompressed();
  return pattern;
}

}  // namespace stillpoint
