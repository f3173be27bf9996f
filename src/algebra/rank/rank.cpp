#include "stillpoint/rank.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "algebra/rank/block_rank.h"
#include "algebra/rank/find_rank.h"
#include "algebra/rank/rank_rule.h"
#include "algebra/scaling/power_scaling.h"

namespace stillpoint {

namespace {

// Terms of a shortened combination below this fraction of the terms that they are the difference of are taken for
// noise.
constexpr double least_negligible = 1e-12;
constexpr double most_negligible = 1e-3;

void check(const SparseMatrix& J, const RankOptions& options) {
  for (Index j = 0; j < J.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(J, j); entry; ++entry) {
      if (!std::isfinite(entry.value())) throw std::invalid_argument("the matrix has entries that are not finite");
    }
  }
  if (!(options.noise >= 0 && options.noise < 1)) throw std::invalid_argument("noise must be in [0, 1)");
  if (options.rank && (*options.rank < 0 || *options.rank > std::min(J.rows(), J.cols()))) {
    throw std::invalid_argument("a rank of " + std::to_string(*options.rank) + " was given for a matrix of size " +
                                std::to_string(J.rows()) + " x " + std::to_string(J.cols()));
  }
}

/// The result for a matrix without entries: every row is a null vector by itself.
ScaledDependence nothing_independent(Index rows, const RankOptions& options) {
  ScaledDependence result;
  if (options.rank.value_or(0) > 0) throw std::invalid_argument("a positive rank was given for a zero matrix");
  result.rank.outcome = outcome_of(0, RankDecision::unset, rows, options);
  if (rows > 0) result.rank.largest_dropped = 0;
  result.rank.noise_floor = noise_floor(options);
  result.rank.method = "SVD";
  for (Index i = 0; i < rows; ++i) {
    result.dependent.push_back(i);
    result.combinations.push_back({{{i, 1}}});
  }
  return result;
}

/// Returns one or two scalings; the better one decides the rank.
std::vector<PowerScaled> scalings_of(const SparseMatrix& J, const RankOptions& options) {
  if (options.has_even_columns) return {scale_rows_by_powers_of_two(J, options.noise)};
  return scale_by_powers_of_two(J, options.noise);
}

ScaledDependence dependence_of(const SparseMatrix& S, const RankOptions& options) {
  if (S.nonZeros() == 0) return nothing_independent(static_cast<Index>(S.rows()), options);
  const bool is_small = S.rows() <= options.largest_dense && S.cols() <= options.largest_dense;
  return is_small ? dense_dependence(S, options) : sparse_dependence(S, options);
}

}  // namespace

RowDependence find_dependent_rows(const SparseMatrix& J, const RankOptions& options) {
  check(J, options);
  std::optional<ScaledDependence> found;
  std::vector<int> exponents;
  for (const PowerScaled& scaled : scalings_of(J, options)) {
    ScaledDependence next = dependence_of(scaled.S, options);
    // Where noise and small units cannot be told apart, the scaling with the larger gap is taken.
    if (found && !(next.rank.gap > found->rank.gap)) continue;
    found = std::move(next);
    exponents = scaled.rows;
  }
  const Index m = static_cast<Index>(J.rows());
  const double noise = std::fmax(found->rank.noise_floor, found->rank.largest_dropped);
  shorten(found->combinations, m, std::clamp(1000 * noise, least_negligible, most_negligible));

  RowDependence result{std::move(found->rank), {}, std::move(found->dependent), {}};
  for (Index i = 0, d = 0; i < m; ++i) {
    if (d < static_cast<Index>(result.dependent.size()) && result.dependent[d] == i) {
      ++d;
    } else {
      result.independent.push_back(i);
    }
  }
  result.null_vectors = matrix_of(found->combinations, exponents);
  return result;
}

RankDecision full_rank_by_blocks(const SparseMatrix& J, const RankOptions& options) {
  check(J, options);
  RankDecision rank;
  rank.outcome = RankOutcome::undecided;
  rank.noise_floor = noise_floor(options);
  rank.method = "blocks";
  for (const PowerScaled& scaled : scalings_of(J, options)) {
    const std::optional<double> least = full_by_blocks(scaled.S, rank.noise_floor);
    if (!least) continue;
    rank.value = static_cast<Index>(J.rows());
    rank.outcome = RankOutcome::full;
    rank.gap = *least / rank.noise_floor;
    break;
  }
  return rank;
}

}  // namespace stillpoint
