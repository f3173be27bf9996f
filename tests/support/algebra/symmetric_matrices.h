// Sparse symmetric matrices, entry by entry, and one whose eigenvalues are known in closed form.
#pragma once

#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Collects entries of a symmetric matrix; those given twice are added.
class Symmetric {
 public:
  explicit Symmetric(Index size) : size_(size) {}
  void add(Index i, Index j, double value) {
    entries_.emplace_back(i, j, value);
    if (i != j) entries_.emplace_back(j, i, value);
  }
  SparseMatrix matrix() const {
    SparseMatrix A(size_, size_);
    A.setFromTriplets(entries_.begin(), entries_.end());
    return A;
  }

 private:
  Index size_;
  std::vector<Eigen::Triplet<double, Index>> entries_;
};

/// The 5-point grid: diagonal entries `diagonal`, −1 to the four neighbours. Its eigenvalues are
/// diagonal − 2 cos(πa/(k+1)) − 2 cos(πb/(k+1)) with a, b = 1 … k.
inline SparseMatrix grid(Index k, double diagonal) {
  Symmetric sum(k * k);
  for (Index i = 0; i < k; ++i) {
    for (Index j = 0; j < k; ++j) {
      sum.add(i * k + j, i * k + j, diagonal);
      if (i + 1 < k) sum.add(i * k + j, (i + 1) * k + j, -1);
      if (j + 1 < k) sum.add(i * k + j, i * k + j + 1, -1);
    }
  }
  return sum.matrix();
}

}  // namespace stillpoint
