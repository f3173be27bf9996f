#include "algebra/ldlt/definiteness.h"

#include "algebra/sparse/symmetry.h"
#include "stillpoint/detail/symmetric_factor.h"

namespace stillpoint {

bool has_negative_eigenvalue(const SparseMatrix& A) {
  if (A.rows() == 0) return false;
  // The diagonal is raised by a little more than its rounding errors, so that zero eigenvalues that rounding has made
  // negative do not count. A row whose diagonal entry is zero may still hold rounding errors off the diagonal; the
  // second term, relative to the sum of the diagonal magnitudes, is meant for it and is far smaller.
  constexpr double little = 1e-10, traces = 1e-26;
  const Eigen::VectorXd diagonal = A.diagonal();
  const Eigen::VectorXd more = (little * diagonal).array() + traces * diagonal.cwiseAbs().sum();
  const SparseMatrix B = symmetric_part(A + SparseMatrix(more.asDiagonal()));
  if (is_diagonally_dominant(B)) return false;
  SymmetricFactor factor(B);
  factor.factor(B);
  return factor.signs().negative > 0;
}

bool is_dissipative(const SparseMatrix& C) { return is_skew(C) || !has_negative_eigenvalue(symmetric_part(C)); }

bool is_positive_definite(const SparseMatrix& A) {
  if (A.rows() == 0) return true;
  constexpr double rounding = 1e-14;
  const Eigen::VectorXd less = rounding * A.diagonal().cwiseAbs();
  const SparseMatrix B = symmetric_part(A - SparseMatrix(less.asDiagonal()));
  SymmetricFactor factor(B);
  factor.factor(B);
  return factor.signs().negative == 0 && factor.signs().zero == 0;
}

}  // namespace stillpoint
