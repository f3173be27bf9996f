#include "algebra/rank/split_columns.h"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace stillpoint {

namespace {

// A coordinate with c constraints costs about c² entries of S Sᵀ, a link about ten; some ten entries per copy are best.
constexpr Index most_entries = 64;
constexpr Index share = 32;

Index copies_of(Index entries) { return entries <= most_entries ? 1 : (entries + share - 1) / share; }

}  // namespace

bool has_dense_columns(const SparseMatrix& S) {
  for (Index j = 0; j < S.cols(); ++j) {
    if (copies_of(S.outerIndexPtr()[j + 1] - S.outerIndexPtr()[j]) > 1) return true;
  }
  return false;
}

SplitColumns split_columns(const SparseMatrix& S) {
  SplitColumns result;
  result.rows = static_cast<Index>(S.rows());
  std::int64_t columns = 0, entries = S.nonZeros();
  for (Index j = 0; j < S.cols(); ++j) {
    const Index copies = copies_of(S.outerIndexPtr()[j + 1] - S.outerIndexPtr()[j]);
    columns += copies;
    entries += 2 * (std::int64_t{copies} - 1);
  }
  if (columns == S.cols()) {
    result.S = S;
    return result;
  }
  const std::int64_t rows = S.rows() + columns - S.cols();
  if (std::max({rows, columns, entries}) > std::numeric_limits<Index>::max()) {
    throw std::length_error("the columns that must be split have too many entries");
  }
  result.S.resize(static_cast<Index>(rows), static_cast<Index>(columns));
  result.S.reserve(static_cast<Index>(entries));
  Index copy = 0, link = result.rows;
  for (Index j = 0; j < S.cols(); ++j) {
    const Index begin = S.outerIndexPtr()[j], end = S.outerIndexPtr()[j + 1], copies = copies_of(end - begin);
    const double weight = std::sqrt(static_cast<double>(copies));
    for (Index k = 0; k < copies; ++k, ++copy) {
      result.S.startVec(copy);
      const Index last = copies == 1 ? end : std::min(end, begin + (k + 1) * share);
      for (Index e = begin + k * share; e < last; ++e) {
        result.S.insertBack(S.innerIndexPtr()[e], copy) = weight * S.valuePtr()[e];
      }
      if (k > 0) result.S.insertBack(link++, copy) = -1;
      if (k + 1 < copies) result.S.insertBack(link, copy) = 1;
    }
  }
  result.S.finalize();
  return result;
}

}  // namespace stillpoint
