// Full rank judged by the blocks of a triangular form: a chain is no less independent for being long.

#include "algebra/rank/block_rank.h"

#include <doctest/doctest.h>

#include <Eigen/SVD>
#include <cmath>

#include "stillpoint/rank.h"
#include "support/seeded.h"

using namespace stillpoint;

namespace {

/// Row i is x_i - stretch * x_(i-1); the first is x_0, or closes the ring.
SparseMatrix chain(Index rows, double stretch, bool is_closed) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (Index i = 0; i < rows; ++i) {
    entries.emplace_back(i, i, 1.0);
    if (i > 0 || is_closed) entries.emplace_back(i, i > 0 ? i - 1 : rows - 1, -stretch);
  }
  SparseMatrix S(rows, rows);
  S.setFromTriplets(entries.begin(), entries.end());
  return S;
}

}  // namespace

TEST_CASE("rank by blocks: a long chain has full rank, although its smallest singular value is at the stated noise") {
  constexpr Index rows = 3000;
  const RankOptions noisy{.noise = 1e-6};
  const RowDependence found = find_dependent_rows(chain(rows, 1, false), noisy);
  CHECK(found.rank.smallest_kept < 1000 * noisy.noise);  // without blocks it would be undecided
  CHECK(found.rank.outcome == RankOutcome::full);
  CHECK(found.rank.value == rows);
  CHECK(found.rank.method == "sparse QR, by blocks");
  CHECK(found.rank.gap > 1e5);
}

TEST_CASE("rank by blocks: alone they show that a chain is independent, and leave a ring undecided") {
  const RankDecision found = full_rank_by_blocks(chain(3000, 1, false));
  CHECK(found.method == "blocks");
  CHECK(found.outcome == RankOutcome::full);
  CHECK(found.value == 3000);
  CHECK(std::isnan(found.smallest_kept));
  CHECK(full_rank_by_blocks(chain(3000, 1, true)).outcome == RankOutcome::undecided);
  CHECK(find_dependent_rows(chain(3000, 1, true)).rank.outcome == RankOutcome::deficient);
}

TEST_CASE("rank by blocks: rows that depend on each other but for noise stay undecided, in a chain or a ring") {
  constexpr Index rows = 3000;
  const RankOptions noisy{.noise = 1e-6};
  CHECK(find_dependent_rows(chain(rows, 1 + 2e-8, true), noisy).rank.outcome != RankOutcome::full);
  // Two rows at the end of the chain are parallel but for 40 times the noise.
  SparseMatrix S = chain(rows, 1, false);
  S.conservativeResize(rows + 1, rows + 1);
  S.insert(rows, rows - 1) = 1;
  S.insert(rows, rows) = 4e-5;
  S.makeCompressed();
  CHECK(find_dependent_rows(S, {.noise = 1e-6, .has_even_columns = true}).rank.outcome != RankOutcome::full);
}

TEST_CASE("rank by blocks: the weakest block decides, in the unit of its rows") {
  SparseMatrix S(4, 5);
  S.insert(0, 0) = 1;
  S.insert(1, 0) = 1;
  S.insert(1, 1) = 0.5;
  S.insert(2, 1) = 3;
  S.insert(2, 2) = 1;
  S.insert(2, 3) = 1;
  S.insert(3, 2) = 1;
  S.insert(3, 3) = 1.1;
  S.makeCompressed();
  const std::optional<double> least = smallest_value_of_blocks(S, 10);
  REQUIRE(least);
  CHECK(*least > 0.1 / 2.1 / std::sqrt(11.0) * 0.5);
  CHECK(*least < 0.1);
  CHECK(!smallest_value_of_blocks(S, 1));  // a block has two rows
}

TEST_CASE("rank by blocks: rows without columns of their own are not matched") {
  SparseMatrix S(3, 3);
  for (Index i = 0; i < 3; ++i) S.insert(i, 0) = 1;
  S.insert(2, 1) = 1;
  S.makeCompressed();
  CHECK(!smallest_value_of_blocks(S, 10));
}

TEST_CASE("rank by blocks: the bound is never above the smallest singular value of a dense block") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed);
    const Index n = random.whole(2, 8);
    Eigen::MatrixXd dense(n, n);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) dense(i, j) = random.entry();
    }
    const std::optional<double> least = smallest_value_of_blocks(dense.sparseView(), n);
    REQUIRE(least);
    const double truth = dense.jacobiSvd().singularValues().minCoeff() / dense.rowwise().norm().maxCoeff();
    CHECK(*least <= truth * (1 + 1e-10));
    CHECK(*least >= truth / std::sqrt(n) * (1 - 1e-10));
  }
}
