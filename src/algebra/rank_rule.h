// The rule by which a rank is decided: the values and the noise floor, cut at the largest ratio of neighbours.
#pragma once

#include <vector>

#include "stillpoint/rank.h"

namespace stillpoint {

/// Below this ratio a rank is not decided. Rounded input moves values by a few noise floors, never by 1000.
constexpr double smallest_gap = 1e3;

/// The noise floor relative to the largest value.
double noise_floor(const RankOptions& options);

/// `values`: descending, relative to the first; as many as the smaller size. `rows`: of the matrix.
RankDecision decide_rank(const std::vector<double>& values, Index rows, const RankOptions& options);

/// What follows from value and gap.
RankOutcome outcome_of(Index rank, double gap, Index rows, const RankOptions& options);

}  // namespace stillpoint
