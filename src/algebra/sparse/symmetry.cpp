#include "algebra/sparse/symmetry.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/at.h"

namespace stillpoint {

namespace {

/// Calls visit(a_ij, a_ji) for all pairs of stored entries. Returns false as soon as an entry a_ji is not stored, or if
/// rows do not ascend. Columns visited in order meet the rows of the transpose in order as well.
template <class Visit>
bool visit_pairs(const SparseMatrix& A, const Visit& visit) {
  if (A.rows() != A.cols() || !A.isCompressed()) return false;
  const Index *const starts = A.outerIndexPtr(), *const rows = A.innerIndexPtr();
  std::vector<Index> next(starts, starts + A.cols());
  for (Index j = 0; j < A.cols(); ++j) {
    for (Index k = starts[j]; k < starts[j + 1]; ++k) {
      if (k > starts[j] && rows[k - 1] >= rows[k]) return false;
      Index& counterpart = next[at(rows[k])];
      if (counterpart >= starts[rows[k] + 1] || rows[counterpart] != j) return false;
      visit(A.valuePtr()[k], A.valuePtr()[counterpart++]);
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

// Where units are mixed, an asymmetry in small units must not be mistaken for rounding of entries in large units. Each
// entry is therefore also compared with the two diagonal entries of its row and column.
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

double largest_entry(const SparseMatrix& A) {
  double largest = 0;
  for (Index j = 0; j < A.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) largest = std::max(largest, std::abs(entry.value()));
  }
  return largest;
}

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
  double largest = 0;
  if (!visit_pairs(A, [&](double a, double b) { largest = std::max(largest, std::abs(a + b)); }))
    largest = 2 * largest_entry(symmetric_part(A));
  return largest <= rounding * largest_entry(A);
}

SparseMatrix symmetric_part(const SparseMatrix& A) {
  bool is_exact = true;
  if (visit_pairs(A, [&](double a, double b) { is_exact = is_exact && a == b; }) && is_exact) return A;
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

}  // namespace stillpoint
