// The column elimination tree against the pattern of R, found by elimination of S Sᵀ entry by entry.

#include "algebra/ordering/column_tree.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>
#include <set>
#include <utility>

#include "support/seeded.h"

using namespace stillpoint;
using Eigen::MatrixXd;

namespace {

/// The positions above which each column of R has entries: row k of R beyond the diagonal, with fill.
std::vector<std::set<Index>> rows_of_R(const MatrixXd& S, const ColumnTree& tree) {
  const auto m = static_cast<Index>(S.rows());
  const MatrixXd products = S.cwiseAbs() * S.cwiseAbs().transpose();
  std::vector<std::set<Index>> R(static_cast<std::size_t>(m));
  for (Index k = 0; k < m; ++k) {
    for (Index l = k + 1; l < m; ++l) {
      if (products(tree.order[k], tree.order[l]) > 0) R[k].insert(l);
    }
  }
  for (std::size_t k = 0; k < R.size(); ++k) {
    for (const Index i : R[k]) {
      for (const Index j : R[k]) {
        if (j > i) R[i].insert(j);
      }
    }
  }
  return R;
}

MatrixXd sparse_rows(Random& random, Eigen::Index rows, Eigen::Index columns) {
  MatrixXd S = MatrixXd::Zero(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i) {
    for (int k = 0; k < 2; ++k) S(i, random.below(static_cast<Index>(columns))) = 1;
  }
  return S;
}

SparseMatrix transposed(const MatrixXd& S) { return S.transpose().sparseView(); }

}  // namespace

TEST_CASE("column tree: the parent of a position is the first entry beyond the diagonal in its row of R") {
  Random random(1);
  for (int draw = 0; draw < 40; ++draw) {
    CAPTURE(draw);
    const Index m = random.whole(1, 15);
    const MatrixXd S = sparse_rows(random, m, random.whole(3, 20));
    std::vector<Index> order;
    for (Index i = 0; i < m; ++i) order.push_back(i);
    for (Index i = m - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
    const ColumnTree tree = column_tree(transposed(S), order);
    const std::vector<std::set<Index>> R = rows_of_R(S, tree);
    for (Index k = 0; k < m; ++k) {
      CHECK(tree.position[tree.order[k]] == k);
      CHECK(tree.parent[k] == (R[k].empty() ? -1 : *R[k].begin()));
    }
  }
}

TEST_CASE("column tree: each subtree is a contiguous range that ends at its root") {
  Random random(2);
  const MatrixXd S = sparse_rows(random, 30, 40);
  const SparseMatrix sparse = S.sparseView();
  const ColumnTree tree = column_tree(transposed(S), fill_reducing_order(sparse, transposed(S)));
  std::vector<Index> first(30), size(30, 1);
  for (Index k = 0; k < 30; ++k) first[k] = k;
  for (Index k = 0; k < 30; ++k) {
    CHECK(first[k] == k - size[k] + 1);
    if (tree.parent[k] < 0) continue;
    CHECK(tree.parent[k] > k);
    first[tree.parent[k]] = std::min(first[tree.parent[k]], first[k]);
    size[tree.parent[k]] += size[k];
  }
}

TEST_CASE("column tree: rows that share nothing are roots") {
  const ColumnTree tree = column_tree(transposed(MatrixXd::Identity(4, 6)), {2, 0, 3, 1});
  CHECK(tree.parent == std::vector<Index>(4, -1));
}

TEST_CASE("fill-reducing order: a permutation that leaves the row with which all are tied for the end") {
  constexpr Index m = 20;
  MatrixXd S = MatrixXd::Zero(m, 2 * m);
  for (Index i = 0; i < m; ++i) {
    S(i, i) = 1;
    S(7, i) = 1;  // row 7 shares a coordinate with each of the others
  }
  const SparseMatrix sparse = S.sparseView();
  const std::vector<Index> order = fill_reducing_order(sparse, transposed(S));
  std::set<Index> all(order.begin(), order.end());
  CHECK(all.size() == m);
  CHECK(std::find(order.begin(), order.end(), 7) - order.begin() >= m - 2);
  CHECK(fill_reducing_order(SparseMatrix(0, 3), SparseMatrix(3, 0)).empty());
}
