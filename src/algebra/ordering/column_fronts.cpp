#include "algebra/ordering/column_fronts.h"

#include <cstdint>
#include <utility>

#include "algebra/ordering/rows_of_r.h"

namespace stillpoint {

namespace {

// Two fronts are merged as long as no more than this fraction of the merged front consists of additional zeros. For
// small fronts a larger fraction is allowed, because a front has a fixed cost.
constexpr double zeros_allowed = 0.2;
constexpr double zeros_allowed_when_small = 0.5;
constexpr std::int64_t small_width = 8;

}  // namespace

ColumnFronts plan_column_fronts(const SparseMatrix& S, const ColumnTree& tree) {
  const Index m = static_cast<Index>(tree.order.size());
  ColumnFronts plan;
  RowsOfR of_R = rows_of_R(S, tree);
  plan.lead = std::move(of_R.lead);
  plan.lead_end = std::move(of_R.lead_end);
  plan.entries = of_R.entries;
  const std::vector<Index>& counts = of_R.counts;

  std::vector<Index> front_of(tree.order.size());
  std::int64_t needed = 0;  // entries of the rows of the current front without the additional zeros
  for (Index k = 0; k < m; ++k) {
    bool joins = false;
    if (k > 0 && tree.parent[k - 1] == k) {
      const std::int64_t pivots = k - plan.first.back() + 1, width = pivots + counts[k] - 1;
      const std::int64_t entries = pivots * width - pivots * (pivots - 1) / 2;
      const double allowed = width <= small_width ? zeros_allowed_when_small : zeros_allowed;
      joins = static_cast<double>(entries - needed - counts[k]) <= allowed * static_cast<double>(entries);
    }
    if (!joins) {
      plan.first.push_back(k);
      needed = 0;
    }
    needed += counts[k];
    front_of[k] = static_cast<Index>(plan.first.size()) - 1;
  }
  plan.first.push_back(m);
  plan.parent.resize(plan.first.size() - 1);
  for (std::size_t f = 0; f < plan.parent.size(); ++f) {
    const Index above = tree.parent[plan.first[f + 1] - 1];
    plan.parent[f] = above == -1 ? -1 : front_of[above];
  }
  return plan;
}

}  // namespace stillpoint
