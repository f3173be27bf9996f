#include "algebra/symmetry.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/at.h"
#include "stillpoint/symmetric_factor.h"

namespace stillpoint {

namespace {

/// Calls visit(a_ij, a_ji) for all pairs; false as soon as one has no place for a_ji, or rows do not ascend. Columns
/// walked in order meet the rows of the transpose in order, too.
template <class Visit>
bool visit_pairs(const SparseMatrix& A, const Visit& visit) {
  if (A.rows() != A.cols() || !A.isCompressed()) return false;
  const Index *const starts = A.outerIndexPtr(), *const rows = A.innerIndexPtr();
  std::vector<Index> next(starts, starts + A.cols());
  for (Index j = 0; j < A.cols(); ++j) {
    for (Index k = starts[j]; k < starts[j + 1]; ++k) {
      if (k > starts[j] && rows[k - 1] >= rows[k]) return false;
      Index& mirrored = next[at(rows[k])];
      if (mirrored >= starts[rows[k] + 1] || rows[mirrored] != j) return false;
      visit(A.valuePtr()[k], A.valuePtr()[mirrored++]);
    }
  }
  return true;
}

double largest_asymmetry(const SparseMatrix& A) {
  double largest = 0;
  if (visit_pairs(A, [&](double a, double b) { largest = std::max(largest, std::abs(a - b)); })) return largest;
  const SparseMatrix transposed = A.transpose();
  return largest_entry(SparseMatrix(A - transposed));
}

// Where units are mixed, forces of one unit are no rounding of those of another: they are seen beside both diagonals.
bool is_more_than_rounding(const SparseMatrix& asymmetry, const Eigen::VectorXd& diagonal) {
  constexpr double of_diagonals = 1e-3;
  for (Index j = 0; j < asymmetry.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(asymmetry, j); entry; ++entry) {
      const double beside = std::sqrt(std::abs(diagonal[j])) * std::sqrt(std::abs(diagonal[entry.row()]));
      if (beside > 0 && std::abs(entry.value()) > of_diagonals * beside) return true;
    }
  }
  return false;
}

}  // namespace

double largest_entry(const SparseMatrix& A) { return A.nonZeros() > 0 ? A.coeffs().abs().maxCoeff() : 0; }

bool has_symmetric_pattern(const SparseMatrix& A) {
  return visit_pairs(A, [](double, double) {});
}

bool is_symmetric(const SparseMatrix& A, double rounding) {
  const double asymmetry = largest_asymmetry(A);
  if (asymmetry == 0) return true;
  if (!(asymmetry <= rounding * largest_entry(A))) return false;
  const SparseMatrix transposed = A.transpose();
  return !is_more_than_rounding(A - transposed, A.diagonal());
}

bool is_skew(const SparseMatrix& A, double rounding) {
  return 2 * largest_entry(symmetric_part(A)) <= rounding * largest_entry(A);
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
  // A little more than rounding on the diagonal: zeros that rounding has made negative do not count. Where rounding has
  // left nothing on the diagonal, but something beside it, that is much less than of the largest.
  constexpr double little = 1e-10, traces = 1e-26;
  const Eigen::VectorXd diagonal = A.diagonal();
  const Eigen::VectorXd more = (little * diagonal).array() + traces * diagonal.cwiseAbs().sum();
  const SparseMatrix B = symmetric_part(A + SparseMatrix(more.asDiagonal()));
  if (is_diagonally_dominant(B)) return false;
  SymmetricFactor factor(B);
  factor.factor(B);
  return factor.signs().negative > 0;
}

bool only_takes_energy(const SparseMatrix& C) { return is_skew(C) || !has_negative(symmetric_part(C)); }

bool is_positive(const SparseMatrix& A) {
  constexpr double rounding = 1e-14;
  const Eigen::VectorXd less = rounding * A.diagonal().cwiseAbs();
  const SparseMatrix B = symmetric_part(A - SparseMatrix(less.asDiagonal()));
  SymmetricFactor factor(B);
  factor.factor(B);
  return factor.signs().negative == 0 && factor.signs().zero == 0;
}

}  // namespace stillpoint
