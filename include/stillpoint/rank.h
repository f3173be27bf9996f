// Which rows of a matrix depend on the others.
//
//   Jᵀ ν = 0 has m − rank independent solutions ν; leaving out as many rows keeps the row space of J      (mathematics
//   §2)
//
// Units: none. J is scaled by powers of two first, so rows may be in any units, and columns in any mixture of units as
// long as zeros are zeros: where columns differ by factors of a million and more, the 1e-17 that rounding leaves of a
// cosine cannot be told from a small unit, and the rank found may be too high or too low without a warning. Otherwise
// an entry smaller than 64 ε, or than the stated noise, times the largest of its row is taken for zero. Decision: the
// singular values of the scaled matrix (or bounds of them) and the noise floor, cut where the ratio of neighbours is
// largest. A ratio below 1000 is "undecided": the best guess is still given. Before: J is finite, 0 ≤ noise < 1, 0 ≤
// rank ≤ min(m, n); otherwise std::invalid_argument. m = 0 and n = 0 are fine.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

struct RankOptions {
  double noise = 0;               ///< relative precision of the input; at least that of double is assumed
  std::optional<Index> rank{};    ///< overrides the decision, and is recorded
  Index largest_dense = 300;      ///< SVD if both sizes are at most this, sparse QR otherwise
  bool has_even_columns = false;  ///< their units go together: what is small in all of a column is small
};

enum class RankOutcome {
  full,       ///< no row depends on others
  deficient,  ///< some do
  undecided,  ///< the gap is too small to tell
  given       ///< by RankOptions::rank
};

struct RankDecision {
  static constexpr double unset = std::numeric_limits<double>::quiet_NaN();

  Index value = 0;  ///< the rank
  RankOutcome outcome = RankOutcome::full;
  double gap = unset;              ///< the smallest value kept over the largest one dropped, or over the noise floor
  double smallest_kept = unset;    ///< relative to the largest value of the scaled matrix; NaN if none is kept
  double largest_dropped = unset;  ///< relative, too; with sparse QR an upper bound; NaN if none is dropped
  double noise_floor = unset;      ///< relative, too
  std::string method;              ///< "SVD" or "sparse QR"
};

struct RowDependence {
  RankDecision rank;
  std::vector<Index> independent, dependent;  ///< rows, ascending; together all of them
  SparseMatrix null_vectors;  ///< m × (m − rank): Jᵀν = 0; local: few rows in each; the largest entry of each is 1
};

RowDependence find_dependent_rows(const SparseMatrix& J, const RankOptions& options = {});

}  // namespace stillpoint
