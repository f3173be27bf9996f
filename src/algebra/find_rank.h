// The two ways of finding dependent rows in a scaled matrix.
#pragma once

#include "algebra/combinations.h"
#include "stillpoint/rank.h"

namespace stillpoint {

struct ScaledDependence {
  RankDecision rank;
  std::vector<Index> dependent;  ///< ascending
  std::vector<Combination> combinations;
};

/// S is without zeros and has at least one entry; both sizes are small.
ScaledDependence dense_dependence(const SparseMatrix& S, const RankOptions& options);

/// S is without zeros and has at least one entry.
ScaledDependence sparse_dependence(const SparseMatrix& S, const RankOptions& options);

}  // namespace stillpoint
