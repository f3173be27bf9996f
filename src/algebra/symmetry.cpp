#include "algebra/symmetry.h"

#include <cmath>

#include "stillpoint/symmetric_factor.h"

namespace stillpoint {

double largest_entry(const SparseMatrix& A) { return A.nonZeros() > 0 ? A.coeffs().abs().maxCoeff() : 0; }

bool is_symmetric(const SparseMatrix& A, double rounding) {
  const SparseMatrix transposed = A.transpose();
  return largest_entry(SparseMatrix(A - transposed)) <= rounding * largest_entry(A);
}

SparseMatrix symmetric_part(const SparseMatrix& A) {
  const SparseMatrix transposed = A.transpose();
  return 0.5 * (A + transposed);
}

bool is_diagonally_dominant(const SparseMatrix& A) {
  Eigen::VectorXd balance = Eigen::VectorXd::Zero(A.rows());
  for (Index j = 0; j < A.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry)
      balance[entry.row()] += entry.row() == j ? entry.value() : -std::abs(entry.value());
  }
  return (balance.array() >= 0).all();
}

bool has_negative(const SparseMatrix& A) {
  // A little more than rounding on the diagonal: zeros that rounding has made negative do not count.
  constexpr double little = 1e-10;
  const Eigen::VectorXd more = little * A.diagonal();
  const SparseMatrix B = A + SparseMatrix(more.asDiagonal());
  if (is_diagonally_dominant(B)) return false;
  SymmetricFactor factor(B);
  factor.factor(B);
  return factor.signs().negative > 0;
}

}  // namespace stillpoint
