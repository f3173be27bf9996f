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
  // Duplicates are removed, each column is sorted, and the columns are moved together.
  SparseMatrix matrix(rows_, columns_);
  std::vector<Index> seen_in(static_cast<std::size_t>(rows_), -1);  // the last column that had an entry in each row
  std::int64_t first = 0, count = 0;
  for (std::size_t c = 0; c + 1 < ends_.size(); ++c) {
    const auto begin = entries_.begin() + std::exchange(first, ends_[c]);
    const auto end = entries_.begin() + ends_[c];
    const auto is_repeated = [&](Index row) {
      return std::exchange(seen_in[static_cast<std::size_t>(row)], static_cast<Index>(c)) == static_cast<Index>(c);
    };
    const auto kept = std::remove_if(begin, end, is_repeated);
    std::sort(begin, kept);
    count = std::copy(begin, kept, entries_.begin() + count) - entries_.begin();
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
