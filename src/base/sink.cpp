#include "stillpoint/detail/sink.h"

#include <limits>
#include <utility>

#include "stillpoint/error.h"

namespace stillpoint {

void PatternSink::layout() {
  std::int64_t total = 0;
  for (std::int64_t& end : ends_) total += std::exchange(end, total);
  entries_.resize(static_cast<std::size_t>(total));
}

SparseMatrix PatternSink::matrix() {
  // Each column is sorted, duplicates are removed, and the columns are moved together.
  SparseMatrix matrix(rows_, columns_);
  std::int64_t first = 0, count = 0;
  for (std::size_t c = 0; c + 1 < ends_.size(); ++c) {
    const auto begin = entries_.begin() + std::exchange(first, ends_[c]);
    const auto end = entries_.begin() + ends_[c];
    std::sort(begin, end);
    count = std::copy(begin, std::unique(begin, end), entries_.begin() + count) - entries_.begin();
    if (count > std::numeric_limits<Index>::max()) throw Error("a matrix has more than 2^31 entries");
    matrix.outerIndexPtr()[c + 1] = static_cast<Index>(count);
  }
  matrix.resizeNonZeros(count);
  std::copy_n(entries_.begin(), count, matrix.innerIndexPtr());
  matrix.coeffs().setZero();
  *this = PatternSink(0, 0);
  return matrix;
}

}  // namespace stillpoint
