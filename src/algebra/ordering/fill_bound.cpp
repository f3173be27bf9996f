#include "algebra/ordering/fill_bound.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "algebra/ordering/column_tree.h"
#include "base/at.h"

namespace stillpoint {

namespace {

/// The rows of a matrix, sorted by the position of their first entry.
struct RowsByFirst {
  std::vector<Index> rows, starts;  ///< starts: for each position, and one past the end
};

RowsByFirst rows_by_first(const SparseMatrix& symmetric, const std::vector<Index>& position) {
  std::vector<Index> first(position.size(), std::numeric_limits<Index>::max());
  for (Index j = 0; j < symmetric.cols(); ++j) {
    for (SparseMatrix::InnerIterator entry(symmetric, j); entry; ++entry)
      first[at(j)] = std::min(first[at(j)], position[at(entry.row())]);
  }
  RowsByFirst by{std::vector<Index>(position.size()), std::vector<Index>(position.size() + 1, 0)};
  const auto has_entries = [&](std::size_t row) { return first[row] < static_cast<Index>(position.size()); };
  for (std::size_t row = 0; row < first.size(); ++row) {
    if (has_entries(row)) ++by.starts[at(first[row]) + 1];
  }
  std::partial_sum(by.starts.begin(), by.starts.end(), by.starts.begin());
  std::vector<Index> next = by.starts;
  for (std::size_t row = 0; row < first.size(); ++row) {
    if (has_entries(row)) by.rows[at(next[at(first[row])]++)] = static_cast<Index>(row);
  }
  return by;
}

}  // namespace

// Row k of R is the union of the rows of A that begin there and of the rows of R of its children in the column tree,
// without k. The rows of finished subtrees wait on a stack.
std::int64_t fill_bound(const SparseMatrix& pattern, const std::vector<Index>& columns, std::int64_t most) {
  const ColumnTree tree = column_tree(pattern, columns);
  const RowsByFirst by = rows_by_first(pattern, tree.position);
  const auto n = static_cast<Index>(columns.size());
  std::vector<Index> waiting, sizes, row, seen(columns.size(), -1), children(columns.size(), 0);
  std::int64_t entries = 0;
  for (Index k = 0; k < n && entries <= most; ++k) {
    row.clear();
    seen[at(k)] = k;
    const auto add = [&](Index position) {
      if (seen[at(position)] == k) return;
      seen[at(position)] = k;
      row.push_back(position);
    };
    for (Index r = by.starts[at(k)]; r < by.starts[at(k) + 1]; ++r) {
      for (SparseMatrix::InnerIterator entry(pattern, by.rows[at(r)]); entry; ++entry) add(tree.position[entry.row()]);
    }
    for (Index child = 0; child < children[at(k)]; ++child) {
      const auto begin = waiting.end() - sizes.back();
      std::for_each(begin, waiting.end(), add);
      waiting.erase(begin, waiting.end());
      sizes.pop_back();
    }
    entries += static_cast<std::int64_t>(row.size()) + 1;
    if (tree.parent[at(k)] < 0) continue;
    ++children[at(tree.parent[at(k)])];
    waiting.insert(waiting.end(), row.begin(), row.end());
    sizes.push_back(static_cast<Index>(row.size()));
  }
  return entries;
}

}  // namespace stillpoint
