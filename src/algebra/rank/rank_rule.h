// Numerical rank by the largest gap: the descending values and the noise floor are cut where the ratio of consecutive
// ones is largest.
#pragma once

#include <vector>

#include "stillpoint/rank.h"

namespace stillpoint {

/// A rank with a smaller gap is undecided. Rounded input changes the values by a few noise floors, never by a thousand.
constexpr double smallest_gap = 1e3;

/// Returns the noise floor relative to the largest value.
double noise_floor(const RankOptions& options);

/// Decides the rank from `values`, which descend, are relative to the first and as many as the smaller dimension of the
/// matrix; `rows` is the number of its rows.
RankDecision decide_rank(const std::vector<double>& values, Index rows, const RankOptions& options);

/// Returns the outcome that follows from rank and gap.
RankOutcome outcome_of(Index rank, double gap, Index rows, const RankOptions& options);

}  // namespace stillpoint
