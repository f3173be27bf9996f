#include "algebra/sparse/bordered_pattern.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "algebra/sparse/symmetry.h"
#include "base/at.h"

namespace stillpoint {

namespace {

/// Builds a pattern column by column, in ascending order.
class Columns {
 public:
  Columns(Index size, std::int64_t entries) : matrix_(size, size), seen_(stillpoint::at(size), -1) {
    rows_.reserve(stillpoint::at(entries));
  }

  void add(Index row) {
    if (seen_[stillpoint::at(row)] == column_) return;
    seen_[stillpoint::at(row)] = column_;
    rows_.push_back(row);
  }
  void add_column_of(const SparseMatrix& A, Index column, Index first_row) {
    for (Index k = A.outerIndexPtr()[column]; k < A.outerIndexPtr()[column + 1]; ++k)
      add(first_row + A.innerIndexPtr()[k]);
  }
  void end_column() {
    std::sort(rows_.begin() + matrix_.outerIndexPtr()[column_], rows_.end());
    if (rows_.size() > stillpoint::at(std::numeric_limits<Index>::max()))
      throw std::length_error("the bordered matrix has too many entries");
    matrix_.outerIndexPtr()[++column_] = static_cast<Index>(rows_.size());
  }

  SparseMatrix matrix() {
    matrix_.resizeNonZeros(static_cast<Index>(rows_.size()));
    std::copy(rows_.begin(), rows_.end(), matrix_.innerIndexPtr());
    matrix_.coeffs().setZero();
    return std::move(matrix_);
  }

 private:
  SparseMatrix matrix_;
  std::vector<Index> rows_, seen_;  // seen_: for each row the last column that contains it
  Index column_ = 0;
};

}  // namespace

SparseMatrix bordered_pattern(const std::vector<const SparseMatrix*>& blocks,
                              const std::vector<const SparseMatrix*>& borders) {
  const auto n = static_cast<Index>(blocks.front()->cols());
  std::vector<SparseMatrix> block_transposes, transposed;
  std::int64_t entries = n;
  for (const SparseMatrix* A : blocks) {
    entries += A->nonZeros();
    if (!has_symmetric_pattern(*A)) block_transposes.emplace_back(A->transpose());
  }
  Index size = n;
  for (const SparseMatrix* B : borders) {
    entries += 2 * std::int64_t{B->nonZeros()} + B->rows();
    size += static_cast<Index>(B->rows());
    transposed.emplace_back(B->transpose());
  }
  for (const SparseMatrix& A : block_transposes) entries += A.nonZeros();

  Columns columns(size, entries);
  for (Index j = 0; j < n; ++j) {
    columns.add(j);
    for (const SparseMatrix* A : blocks) columns.add_column_of(*A, j, 0);
    for (const SparseMatrix& A : block_transposes) columns.add_column_of(A, j, 0);
    Index first = n;
    for (const SparseMatrix* B : borders) {
      columns.add_column_of(*B, j, first);
      first += static_cast<Index>(B->rows());
    }
    columns.end_column();
  }
  Index diagonal = n;
  for (const SparseMatrix& B : transposed) {
    for (Index i = 0; i < B.cols(); ++i) {
      columns.add(diagonal++);
      columns.add_column_of(B, i, 0);
      columns.end_column();
    }
  }
  transposed.clear();
  block_transposes.clear();
  return columns.matrix();
}

namespace {

template <class Value>
void add_values(SparseMatrix& to, const SparseMatrix& A, Corner at, const Value& value) {
  for (Index j = 0; j < A.outerSize(); ++j) {
    Index place = to.outerIndexPtr()[at.column + j];
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      while (to.innerIndexPtr()[place] < at.row + entry.row()) ++place;
      to.valuePtr()[place] += value(entry);
    }
  }
}

template <class Value>
void add_transposed_values(SparseMatrix& to, const SparseMatrix& A, Corner at, const Value& value) {
  const Index* const starts = to.outerIndexPtr() + at.column;
  std::vector<Index> places(starts, starts + A.rows());  // each position advances through its column once
  for (Index j = 0; j < A.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      Index& place = places[stillpoint::at(entry.row())];
      while (to.innerIndexPtr()[place] < at.row + j) ++place;
      to.valuePtr()[place] += value(entry);
    }
  }
}

auto values_of(double factor) {
  return [factor](const auto& entry) { return factor * entry.value(); };
}
auto values_of(const ScaledMatrix& A, double factor) {
  return [&A, factor](const auto& entry) {
    return factor * (A.row_factor(entry.row()) * entry.value() * A.column_scale(entry.col()));
  };
}

}  // namespace

void add_part(SparseMatrix& to, const SparseMatrix& A, double factor, Corner at) {
  add_values(to, A, at, values_of(factor));
}

void add_transposed_part(SparseMatrix& to, const SparseMatrix& A, double factor, Corner at) {
  add_transposed_values(to, A, at, values_of(factor));
}

void add_part(SparseMatrix& to, const ScaledMatrix& A, double factor, Corner at) {
  add_values(to, A.unscaled(), at, values_of(A, factor));
}

void add_transposed_part(SparseMatrix& to, const ScaledMatrix& A, double factor, Corner at) {
  add_transposed_values(to, A.unscaled(), at, values_of(A, factor));
}

}  // namespace stillpoint
