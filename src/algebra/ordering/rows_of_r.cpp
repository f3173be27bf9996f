#include "algebra/ordering/rows_of_r.h"

#include <algorithm>

namespace stillpoint {

namespace {

std::vector<Index> begin_of_rows(const SparseMatrix& S, const ColumnTree& tree) {
  std::vector<Index> begin(static_cast<std::size_t>(S.cols()), std::numeric_limits<Index>::max());
  for (Index j = 0; j < S.cols(); ++j) {
    for (SparseMatrix::InnerIterator entry(S, j); entry; ++entry) {
      begin[j] = std::min(begin[j], tree.position[entry.row()]);
    }
  }
  return begin;
}

void sort_rows(RowsOfR& of_R, const std::vector<Index>& begin, std::size_t positions) {
  of_R.lead_end.assign(positions + 1, 0);
  for (const Index b : begin) {
    if (b < static_cast<Index>(positions)) ++of_R.lead_end[b + 1];
  }
  for (std::size_t k = 0; k < positions; ++k) of_R.lead_end[k + 1] += of_R.lead_end[k];
  of_R.lead.resize(static_cast<std::size_t>(of_R.lead_end[positions]));
  for (std::size_t j = 0; j < begin.size(); ++j) {
    if (begin[j] < static_cast<Index>(positions)) {
      of_R.lead[of_R.lead_end[begin[j]]++] = static_cast<Index>(j);
    }
  }
  of_R.lead_end.pop_back();
}

// Row k of R is the union of the rows of Sᵀ that begin there and of the rows of R of its children, without k. The
// unions of finished subtrees wait on a stack.
void count_entries(const SparseMatrix& S, const ColumnTree& tree, std::int64_t most, RowsOfR& of_R) {
  const Index m = static_cast<Index>(tree.order.size());
  std::vector<Index> seen(tree.order.size(), -1), waiting, sizes, children(tree.order.size(), 0);
  of_R.counts.resize(tree.order.size());
  std::vector<Index> together;
  for (Index k = 0; k < m && of_R.entries <= most; ++k) {
    together.clear();
    seen[k] = k;
    const auto add = [&](Index position) {
      if (seen[position] == k) return;
      seen[position] = k;
      together.push_back(position);
    };
    for (Index row = k > 0 ? of_R.lead_end[k - 1] : 0; row < of_R.lead_end[k]; ++row) {
      for (SparseMatrix::InnerIterator entry(S, of_R.lead[row]); entry; ++entry) add(tree.position[entry.row()]);
    }
    for (Index child = 0; child < children[k]; ++child) {
      const std::size_t start = waiting.size() - static_cast<std::size_t>(sizes.back());
      sizes.pop_back();
      for (std::size_t i = start; i < waiting.size(); ++i) add(waiting[i]);
      waiting.resize(start);
    }
    of_R.counts[k] = static_cast<Index>(together.size()) + 1;
    of_R.entries += of_R.counts[k];
    if (tree.parent[k] == -1) continue;
    ++children[tree.parent[k]];
    waiting.insert(waiting.end(), together.begin(), together.end());
    sizes.push_back(static_cast<Index>(together.size()));
  }
}

}  // namespace

RowsOfR rows_of_R(const SparseMatrix& S, const ColumnTree& tree, std::int64_t most) {
  RowsOfR of_R;
  sort_rows(of_R, begin_of_rows(S, tree), tree.order.size());
  count_entries(S, tree, most, of_R);
  return of_R;
}

}  // namespace stillpoint
