#include "algebra/ordering/column_tree.h"

#include <amd.h>

#include <limits>
#include <new>
#include <stdexcept>

#include "base/at.h"

namespace stillpoint {

namespace {

/// Returns the elimination tree of S Sᵀ for the given order of rows, from S alone [Liu 1990]: each coordinate connects
/// the rows in which it occurs to a path.
std::vector<Index> elimination_tree(const SparseMatrix& S_transposed, const std::vector<Index>& order) {
  const Index m = static_cast<Index>(order.size());
  std::vector<Index> parent(at(m), -1), ancestor(at(m), -1);
  std::vector<Index> last_with(at(S_transposed.rows()), -1);
  for (Index k = 0; k < m; ++k) {
    for (SparseMatrix::InnerIterator entry(S_transposed, order[k]); entry; ++entry) {
      Index at = last_with[entry.row()];
      while (at != -1 && at < k) {
        const Index next = ancestor[at];
        ancestor[at] = k;
        if (next == -1) parent[at] = k;
        at = next;
      }
      last_with[entry.row()] = k;
    }
  }
  return parent;
}

/// Returns a postorder of the forest: each node follows its children, and subtrees are contiguous.
std::vector<Index> postorder(const std::vector<Index>& parent) {
  const Index m = static_cast<Index>(parent.size());
  std::vector<Index> child(at(m), -1), sibling(at(m), -1), result, path;
  result.reserve(at(m));
  for (Index k = m - 1; k >= 0; --k) {
    if (parent[k] == -1) continue;
    sibling[k] = child[parent[k]];
    child[parent[k]] = k;
  }
  for (Index root = 0; root < m; ++root) {
    if (parent[root] != -1) continue;
    path.push_back(root);
    while (!path.empty()) {
      const Index at = path.back(), next = child[at];
      if (next != -1) {
        child[at] = sibling[next];
        path.push_back(next);
      } else {
        result.push_back(at);
        path.pop_back();
      }
    }
  }
  return result;
}

}  // namespace

std::vector<Index> fill_reducing_order(const SparseMatrix& S, const SparseMatrix& S_transposed) {
  const Index m = static_cast<Index>(S.rows());
  std::vector<Index> starts(at(m) + 1, 0), neighbours, seen(at(m), -1);
  neighbours.reserve(at(2 * S.nonZeros()));
  for (Index i = 0; i < m; ++i) {
    seen[i] = i;
    for (SparseMatrix::InnerIterator coordinate(S_transposed, i); coordinate; ++coordinate) {
      for (SparseMatrix::InnerIterator row(S, coordinate.row()); row; ++row) {
        if (row.row() < i || seen[row.row()] == i) continue;
        seen[row.row()] = i;
        neighbours.push_back(static_cast<Index>(row.row()));
      }
    }
    if (neighbours.size() > at(std::numeric_limits<Index>::max() / 4)) {
      throw std::length_error("too many pairs of constraints share coordinates");
    }
    starts[i + 1] = static_cast<Index>(neighbours.size());
  }
  std::vector<Index> order(at(m));
  if (m == 0) return order;
  if (neighbours.empty()) neighbours.push_back(0);  // AMD needs a valid address
  if (amd_order(m, starts.data(), neighbours.data(), order.data(), nullptr, nullptr) == AMD_OUT_OF_MEMORY) {
    throw std::bad_alloc();
  }
  return order;
}

ColumnTree column_tree(const SparseMatrix& S_transposed, const std::vector<Index>& order) {
  const std::vector<Index> parent = elimination_tree(S_transposed, order), post = postorder(parent);
  ColumnTree tree{std::vector<Index>(order.size()), std::vector<Index>(order.size()),
                  std::vector<Index>(order.size(), -1)};
  std::vector<Index> place(order.size());
  for (std::size_t k = 0; k < post.size(); ++k) place[post[k]] = static_cast<Index>(k);
  for (std::size_t k = 0; k < post.size(); ++k) {
    tree.order[k] = order[post[k]];
    tree.position[tree.order[k]] = static_cast<Index>(k);
    if (parent[post[k]] != -1) tree.parent[k] = place[parent[post[k]]];
  }
  return tree;
}

}  // namespace stillpoint
