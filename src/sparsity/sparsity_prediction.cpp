#include "sparsity/sparsity_prediction.h"

#include <klu.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <new>
#include <numeric>

#include "base/at.h"

namespace stillpoint {

namespace {

/// Independent coordinates are processed 64 at a time, one bit for each.
using Flags = std::uint64_t;
constexpr Index at_a_time = 64, most_followed = 512;

struct FreeSymbolic {
  klu_common* common;
  void operator()(klu_symbolic* symbolic) const { klu_free_symbolic(&symbolic, common); }
};

/// Rows and columns of J_D in block upper triangular form.
struct Blocks {
  std::vector<Index> row, column;  ///< row and column at each position
  std::vector<Index> starts;       ///< first position of each block, and one past the end
};

// Finds the block triangular form [Duff & Reid 1978]. KLU is given a trivial order, so that it does nothing else. The
// matrix is passed by value because KLU takes non-const pointers.
Blocks find_blocks(SparseMatrix J_D) {
  if (J_D.cols() == 0) return {{}, {}, {0}};
  klu_common common;
  klu_defaults(&common);
  const auto size = static_cast<Index>(J_D.cols());
  const std::unique_ptr<klu_symbolic, FreeSymbolic> symbolic(
      klu_analyze_given(size, J_D.outerIndexPtr(), J_D.innerIndexPtr(), nullptr, nullptr, &common), {&common});
  if (!symbolic) throw std::bad_alloc();
  return {{symbolic->P, symbolic->P + size},
          {symbolic->Q, symbolic->Q + size},
          {symbolic->R, symbolic->R + symbolic->nblocks + 1}};
}

SparseMatrix columns_of(const SparseMatrix& J, const std::vector<Index>& columns) {
  SparseMatrix some(J.rows(), static_cast<Index>(columns.size()));
  some.reserve(J.nonZeros());
  for (std::size_t k = 0; k < columns.size(); ++k) {
    some.startVec(static_cast<Index>(k));
    for (SparseMatrix::InnerIterator entry(J, columns[k]); entry; ++entry) {
      if (entry.value() != 0) some.insertBack(entry.row(), static_cast<Index>(k)) = entry.value();
    }
  }
  some.finalize();
  return some;
}

/// Which coordinates move together, by the pattern of the constraints. Flags are stored for each coordinate.
class Motions {
 public:
  Motions(const SparseMatrix& J, const std::vector<Index>& independent) : rows_(J.transpose()) {
    std::vector<Index> all(at(J.cols())), dependent;
    std::iota(all.begin(), all.end(), 0);
    std::set_difference(all.begin(), all.end(), independent.begin(), independent.end(), std::back_inserter(dependent));
    blocks_ = find_blocks(columns_of(J, dependent));
    for (Index& column : blocks_.column) column = dependent[column];
  }

  /// Propagates flags from coordinates to all dependent coordinates that move with them.
  void follow(std::vector<Flags>& flags) const {
    for (std::size_t b = blocks_.starts.size() - 1; b-- > 0;) {
      Flags moved = 0;
      for_entries(b, [&](Index coordinate) { moved |= flags[coordinate]; });
      for (Index k = blocks_.starts[b]; k < blocks_.starts[b + 1]; ++k) flags[blocks_.column[k]] = moved;
    }
  }

  /// Propagates flags in the opposite direction, to the independent coordinates that move the flagged ones.
  void trace_back(std::vector<Flags>& flags) const {
    for (std::size_t b = 0; b + 1 < blocks_.starts.size(); ++b) {
      Flags moved = 0;
      for (Index k = blocks_.starts[b]; k < blocks_.starts[b + 1]; ++k) moved |= flags[blocks_.column[k]];
      for_entries(b, [&](Index coordinate) { flags[coordinate] |= moved; });
    }
  }

 private:
  template <class Visit>
  void for_entries(std::size_t block, const Visit& visit) const {
    for (Index k = blocks_.starts[block]; k < blocks_.starts[block + 1]; ++k) {
      for (SparseMatrix::InnerIterator entry(rows_, blocks_.row[k]); entry; ++entry) {
        if (entry.value() != 0) visit(static_cast<Index>(entry.row()));
      }
    }
  }

  SparseMatrix rows_;
  Blocks blocks_;
};

double count(const std::vector<Flags>& flags) {
  double sum = 0;
  for (const Flags each : flags) sum += std::popcount(each);
  return sum;
}

/// Counts the entries of Rᵀ A R in the flagged columns; `moved` holds the flags of the columns of R.
double product_entries(const SparseMatrix& A, const Motions& motions, const std::vector<Flags>& moved,
                       const std::vector<Index>& independent) {
  std::vector<Flags> met(moved.size(), 0);
  for (Index j = 0; j < A.cols(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      if (entry.value() != 0) met[at(entry.row())] |= moved[j];
    }
  }
  motions.trace_back(met);
  double sum = 0;
  for (const Index i : independent) sum += std::popcount(met[i]);
  return sum;
}

}  // namespace

MinimalSize predict_minimal_size(const SparseMatrix& J, const std::vector<Index>& independent, const SparseMatrix& M,
                                 const SparseMatrix& pencil) {
  MinimalSize size;
  const auto k = static_cast<std::int64_t>(independent.size());
  const std::int64_t followed = std::min<std::int64_t>(k, most_followed);
  const Motions motions(J, independent);
  for (std::int64_t begin = 0; begin < followed; begin += at_a_time) {
    std::vector<Flags> moved(at(J.cols()), 0);
    for (std::int64_t i = begin; i < std::min(followed, begin + at_a_time); ++i) {
      moved[independent[at(i * k / followed)]] = Flags{1} << (i - begin);
    }
    motions.follow(moved);
    size.R += count(moved);
    size.M_r += product_entries(M, motions, moved, independent);
    size.pencil += product_entries(pencil, motions, moved, independent);
  }
  const double share = k > 0 ? static_cast<double>(k) / static_cast<double>(followed) : 1;
  size.R *= share;
  size.M_r *= share;
  size.pencil *= share;
  return size;
}

}  // namespace stillpoint
