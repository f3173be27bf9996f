#include "modes/count/signs_on_motions.h"

#include <vector>

#include "algebra/sparse/bordered_pattern.h"
#include "stillpoint/detail/symmetric_factor.h"

namespace stillpoint {

std::optional<Index> negative_on_motions(const SparseMatrix& A, const SparseMatrix& J) {
  const auto n = static_cast<Index>(A.cols());
  SparseMatrix bordered = bordered_pattern({&A}, {&J});
  add_part(bordered, A, 1);
  add_part(bordered, J, 1, {.row = n});
  add_transposed_part(bordered, J, 1, {.column = n});
  SymmetricFactor factor(bordered);
  factor.factor(bordered);
  if (!factor.has_clear_signs()) return {};
  return factor.signs().negative - static_cast<Index>(J.rows());
}

namespace {

// Returns [A, −B; B, A].
SparseMatrix as_real(const SparseMatrix& A, const SparseMatrix& B) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  const auto rows = static_cast<Index>(A.rows()), cols = static_cast<Index>(A.cols());
  for (Index j = 0; j < cols; ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      const auto i = static_cast<Index>(entry.row());
      entries.emplace_back(i, j, entry.value());
      entries.emplace_back(rows + i, cols + j, entry.value());
    }
    for (SparseMatrix::InnerIterator entry(B, j); entry; ++entry) {
      const auto i = static_cast<Index>(entry.row());
      entries.emplace_back(i, cols + j, -entry.value());
      entries.emplace_back(rows + i, j, entry.value());
    }
  }
  SparseMatrix both(2 * rows, 2 * cols);
  both.setFromTriplets(entries.begin(), entries.end());
  return both;
}

}  // namespace

std::optional<Index> negative_on_motions(const SparseMatrix& A, const SparseMatrix& B, const SparseMatrix& J) {
  const SparseMatrix none(J.rows(), J.cols());
  const std::optional<Index> negative = negative_on_motions(as_real(A, B), as_real(J, none));
  return negative && *negative % 2 == 0 ? std::optional(*negative / 2) : std::nullopt;
}

}  // namespace stillpoint
