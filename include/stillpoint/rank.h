// The numerical rank of a sparse matrix, and which of its rows depend on the others, by the largest gap between
// singular values.
//
//   Jᵀ ν = 0 has m − rank independent solutions ν; J keeps its row space without as many rows   (theory, section 9)
//
// Rows may be in any units, since J is scaled by powers of two first. Columns may be in mixed units as long as the
// zeros are exact. Where columns differ by factors of a million and more, the 1e-17 that rounding leaves of a cosine
// cannot be distinguished from a small unit, and the rank may be too high or too low without a warning. Otherwise an
// entry counts as zero if it is smaller than 64 ε, or than the stated noise, times the largest entry of its row.
//
// The rank is decided where the ratio of consecutive values is largest, among the singular values of the scaled matrix
// (or bounds of them) and the noise floor. With a ratio below 1000 the outcome is "undecided", and the best guess is
// returned. J must be finite, 0 ≤ noise < 1 and 0 ≤ rank ≤ min(m, n); otherwise std::invalid_argument is thrown. m = 0
// and n = 0 are allowed.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

struct RankOptions {
  double noise = 0;             ///< relative precision of the input; never taken smaller than ε
  std::optional<Index> rank{};  ///< replaces the decision, and is recorded as given
  Index largest_dense = 300;    ///< the SVD is used if both dimensions are at most this, sparse QR otherwise
  bool has_even_columns =
      false;  ///< the units of the columns are consistent: entries that are all small in a column are noise
};

enum class RankOutcome {
  full,       ///< no row depends on the others
  deficient,  ///< some rows depend on the others
  undecided,  ///< the gap is too small to decide
  given       ///< the rank was given in RankOptions::rank
};

struct RankDecision {
  static constexpr double unset = std::numeric_limits<double>::quiet_NaN();

  Index value = 0;  ///< the rank
  RankOutcome outcome = RankOutcome::full;
  /// Ratio of the smallest kept value to the largest dropped one, or to the noise floor. Where blocks decide, as a long
  /// chain of loops makes the smallest value small by its length alone, that of the weakest block.
  double gap = unset;
  double smallest_kept = unset;    ///< relative to the largest singular value of the scaled matrix; NaN if none is kept
  double largest_dropped = unset;  ///< likewise; an upper bound with sparse QR; NaN if none is dropped
  double noise_floor = unset;      ///< likewise
  std::string method;              ///< "SVD", "sparse QR", "sparse QR, by blocks" or "blocks"
};

struct RowDependence {
  RankDecision rank;
  std::vector<Index> independent, dependent;  ///< rows in ascending order; together all of them
  SparseMatrix null_vectors;  ///< m × (m − rank), Jᵀν = 0; few entries in each column, the largest of them 1
};

RowDependence find_dependent_rows(const SparseMatrix& J, const RankOptions& options = {});

/// Decides by the blocks of a triangular form of J whether all rows are independent: a fraction of the work and memory,
/// and no smallest singular value. The outcome is `full` or, where blocks do not show that, `undecided`.
RankDecision full_rank_by_blocks(const SparseMatrix& J, const RankOptions& options = {});

}  // namespace stillpoint
