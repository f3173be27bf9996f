// The rank by the largest gap of descending values above a noise floor.

#include "algebra/rank/rank_rule.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace stillpoint;

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

}  // namespace

TEST_CASE("rank rule: the noise floor is the stated noise, and never below the rounding unit") {
  CHECK(noise_floor({}) == epsilon);
  CHECK(noise_floor({.noise = 1e-6}) == 1e-6);
  CHECK(noise_floor({.noise = 1e-30}) == epsilon);
}

TEST_CASE("rank rule: without a small value the rank is full, and the gap is that to the noise floor") {
  const RankDecision decision = decide_rank({1, 0.5, 0.25}, 3, {});
  CHECK(decision.value == 3);
  CHECK(decision.outcome == RankOutcome::full);
  CHECK(decision.gap == 0.25 / epsilon);
  CHECK(decision.smallest_kept == 0.25);
  CHECK(std::isnan(decision.largest_dropped));
}

TEST_CASE("rank rule: values at the level of rounding are dropped, and the gap stands between them and the others") {
  const RankDecision decision = decide_rank({1, 0.5, 1e-3, 1e-15, 1e-17}, 5, {});
  CHECK(decision.value == 3);
  CHECK(decision.outcome == RankOutcome::deficient);
  CHECK(decision.gap == doctest::Approx(1e-3 / 1e-15));
  CHECK(decision.largest_dropped == 1e-15);
}

TEST_CASE("rank rule: a small value counts if the largest gap is below it") {
  CHECK(decide_rank({1, 1e-6}, 2, {}).value == 2);                // 10¹⁰ to the floor, 10⁶ above it
  CHECK(decide_rank({1, 1e-10}, 2, {}).value == 1);               // 5 · 10⁵ to the floor, 10¹⁰ above it
  CHECK(decide_rank({1, 1e-6}, 2, {.noise = 1e-5}).value == 1);   // below the floor
  CHECK(decide_rank({1, 1e-6}, 2, {.noise = 1e-13}).value == 2);  // 10⁷ to the floor
}

TEST_CASE("rank rule: more rows than values are dependent, however large the values are") {
  const RankDecision decision = decide_rank({1, 0.9}, 3, {});
  CHECK(decision.value == 2);
  CHECK(decision.outcome == RankOutcome::deficient);
  CHECK(decision.largest_dropped == 0);
}

TEST_CASE("rank rule: a gap below a thousand leaves the rank undecided, a given rank is never questioned") {
  const RankOptions noisy{.noise = 1e-4};
  CHECK(decide_rank({1, 0.05}, 2, noisy).outcome == RankOutcome::undecided);
  CHECK(decide_rank({1, 0.5}, 2, noisy).outcome == RankOutcome::full);
  const RankDecision given = decide_rank({1, 0.05}, 2, {.noise = 1e-4, .rank = 1});
  CHECK(given.value == 1);
  CHECK(given.outcome == RankOutcome::given);
  CHECK(given.gap == doctest::Approx(20));
  CHECK(outcome_of(2, smallest_gap, 2, {}) == RankOutcome::full);
  CHECK(outcome_of(2, 0.999 * smallest_gap, 2, {}) == RankOutcome::undecided);
}

TEST_CASE("rank rule: a given rank of zero drops everything and has no gap") {
  const RankDecision none = decide_rank({1, 0.5}, 2, {.rank = 0});
  CHECK(none.value == 0);
  CHECK(std::isnan(none.gap));
  CHECK(std::isnan(none.smallest_kept));
  CHECK(none.largest_dropped == 1);
}
