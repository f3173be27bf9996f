#include "algebra/rank/rank_rule.h"

#include <algorithm>

namespace stillpoint {

double noise_floor(const RankOptions& options) {
  return std::max(options.noise, std::numeric_limits<double>::epsilon());
}

RankOutcome outcome_of(Index rank, double gap, Index rows, const RankOptions& options) {
  if (options.rank) return RankOutcome::given;
  if (gap < smallest_gap) return RankOutcome::undecided;
  return rank == rows ? RankOutcome::full : RankOutcome::deficient;
}

RankDecision decide_rank(const std::vector<double>& values, Index rows, const RankOptions& options) {
  const double floor = noise_floor(options);
  const auto ratio = [&](std::size_t kept) {
    const double next = kept < values.size() ? std::max(values[kept], floor) : floor;
    return std::max(values[kept - 1], floor) / next;
  };
  std::size_t best = values.size();
  if (options.rank) {
    best = static_cast<std::size_t>(*options.rank);
  } else {
    for (std::size_t kept = values.size(); kept >= 1; --kept) {
      if (ratio(kept) > ratio(best)) best = kept;
    }
  }
  RankDecision decision;
  decision.value = static_cast<Index>(best);
  decision.noise_floor = floor;
  if (best > 0) decision.smallest_kept = values[best - 1];
  if (best > 0) decision.gap = ratio(best);
  if (best < static_cast<std::size_t>(rows)) decision.largest_dropped = best < values.size() ? values[best] : 0;
  decision.outcome = outcome_of(decision.value, decision.gap, rows, options);
  return decision;
}

}  // namespace stillpoint
