#include "forms/congruence.h"

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>

#include "algebra/sparse/symmetry.h"

namespace stillpoint {

namespace {

// Part of nonzero entries above which a dense product is faster (measured on chains of 200 to 1500 links).
constexpr double dense_part = 0.05;

// Largest number of entries of a dense matrix (400 MB).
constexpr double most_dense = 5e7;

// Number of columns of a dense product that are formed at a time.
constexpr Index panel = 256;

SparseMatrix dense_congruence(const SparseMatrix& R, const SparseMatrix& A) {
  const Index k = static_cast<Index>(R.cols());
  const Eigen::MatrixXd dense = R.toDense();
  Eigen::MatrixXd result(k, k);
  for (Index first = 0; first < k; first += panel) {
    const Index width = std::min(panel, k - first);
    const Eigen::MatrixXd product = A * dense.middleCols(first, width);
    result.middleCols(first, width).noalias() = dense.transpose() * product;
  }
  return result.sparseView();
}

}  // namespace

bool is_exactly_symmetric(const SparseMatrix& A) { return is_symmetric(A, 0); }

SparseMatrix symmetrised(const SparseMatrix& A) {
  const SparseMatrix transposed = A.transpose();
  return 0.5 * (A + transposed);
}

SparseMatrix congruence(const SparseMatrix& R, const SparseMatrix& A) {
  if (A.nonZeros() == 0) return SparseMatrix(R.cols(), R.cols());
  const double all = static_cast<double>(R.rows()) * static_cast<double>(R.cols());
  SparseMatrix result;
  if (static_cast<double>(R.nonZeros()) > dense_part * all && R.cols() > 1 && all <= most_dense) {
    result = dense_congruence(R, A);
  } else {
    const SparseMatrix transposed = R.transpose();
    const SparseMatrix product = A * R;
    result = transposed * product;
  }
  result.prune([](Index, Index, double value) { return value != 0; });
  return is_exactly_symmetric(A) ? symmetrised(result) : result;
}

}  // namespace stillpoint
