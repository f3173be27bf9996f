// Rank and dependent rows of a scaled matrix: densely, by singular values, or sparsely, by a rank-revealing QR.
#pragma once

#include "algebra/rank/combinations.h"
#include "stillpoint/rank.h"

namespace stillpoint {

struct ScaledDependence {
  RankDecision rank;
  std::vector<Index> dependent;  ///< in ascending order
  std::vector<Combination> combinations;
};

/// Uses the SVD. S must store no zeros and have at least one entry; both dimensions should be small.
ScaledDependence dense_dependence(const SparseMatrix& S, const RankOptions& options);

/// Uses sparse QR. S must store no zeros and have at least one entry.
ScaledDependence sparse_dependence(const SparseMatrix& S, const RankOptions& options);

}  // namespace stillpoint
