#include "algebra/ordering/column_fronts.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

namespace stillpoint {

namespace {

// Two fronts are merged as long as no more than this fraction of the merged front consists of additional zeros. For
// small fronts a larger fraction is allowed, because a front has a fixed cost.
constexpr double zeros_allowed = 0.2;
constexpr double zeros_allowed_when_small = 0.5;
constexpr std::int64_t small_width = 8;

std::vector<Index> begin_of_rows(const SparseMatrix& S, const ColumnTree& tree) {
  std::vector<Index> begin(static_cast<std::size_t>(S.cols()), std::numeric_limits<Index>::max());
  for (Index j = 0; j < S.cols(); ++j) {
    for (SparseMatrix::InnerIterator entry(S, j); entry; ++entry) {
      begin[j] = std::min(begin[j], tree.position[entry.row()]);
    }
  }
  return begin;
}

void sort_rows(ColumnFronts& plan, const std::vector<Index>& begin, std::size_t positions) {
  plan.lead_end.assign(positions + 1, 0);
  for (const Index b : begin) {
    if (b < static_cast<Index>(positions)) ++plan.lead_end[b + 1];
  }
  for (std::size_t k = 0; k < positions; ++k) plan.lead_end[k + 1] += plan.lead_end[k];
  plan.lead.resize(static_cast<std::size_t>(plan.lead_end[positions]));
  for (std::size_t j = 0; j < begin.size(); ++j) {
    if (begin[j] < static_cast<Index>(positions)) {
      plan.lead[plan.lead_end[begin[j]]++] = static_cast<Index>(j);
    }
  }
  plan.lead_end.pop_back();
}

/// Returns the number of entries in each row of R, from unions of row structures along the tree. The unions of finished
/// subtrees wait on a stack.
std::vector<Index> row_counts(const SparseMatrix& S, const ColumnTree& tree, const ColumnFronts& plan) {
  const Index m = static_cast<Index>(tree.order.size());
  std::vector<Index> counts(tree.order.size()), seen(tree.order.size(), -1), waiting, sizes, children(counts.size(), 0);
  std::vector<Index> together;
  for (Index k = 0; k < m; ++k) {
    together.clear();
    seen[k] = k;
    const auto add = [&](Index position) {
      if (seen[position] == k) return;
      seen[position] = k;
      together.push_back(position);
    };
    for (Index row = k > 0 ? plan.lead_end[k - 1] : 0; row < plan.lead_end[k]; ++row) {
      for (SparseMatrix::InnerIterator entry(S, plan.lead[row]); entry; ++entry) add(tree.position[entry.row()]);
    }
    for (Index child = 0; child < children[k]; ++child) {
      const std::size_t start = waiting.size() - static_cast<std::size_t>(sizes.back());
      sizes.pop_back();
      for (std::size_t i = start; i < waiting.size(); ++i) add(waiting[i]);
      waiting.resize(start);
    }
    counts[k] = static_cast<Index>(together.size()) + 1;
    if (tree.parent[k] == -1) continue;
    ++children[tree.parent[k]];
    waiting.insert(waiting.end(), together.begin(), together.end());
    sizes.push_back(static_cast<Index>(together.size()));
  }
  return counts;
}

}  // namespace

ColumnFronts plan_column_fronts(const SparseMatrix& S, const ColumnTree& tree) {
  const Index m = static_cast<Index>(tree.order.size());
  ColumnFronts plan;
  sort_rows(plan, begin_of_rows(S, tree), tree.order.size());
  const std::vector<Index> counts = row_counts(S, tree, plan);
  plan.entries = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});

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
