// Splitting of dense columns: what is left when the links are eliminated is S Sᵀ.

#include "algebra/rank/split_columns.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>

#include "support/dense_reference.h"
#include "support/seeded.h"

using namespace stillpoint;
using Eigen::MatrixXd;

namespace {

// Products of some ten copies, divided by a chain of links.
constexpr double rounding = 1e-11;

/// m rows with two entries of their own, and two coordinates that many of them share.
MatrixXd with_dense_columns(Random& random, Eigen::Index m) {
  MatrixXd S = MatrixXd::Zero(m, m + 2);
  for (Eigen::Index i = 0; i < m; ++i) {
    S(i, i) = random.entry();
    S(i, m) = random.entry();
    if (i % 2 == 0) S(i, m + 1) = random.entry();
  }
  return S;
}

Eigen::Index most_entries_in_column(const MatrixXd& S) { return (S.array() != 0).colwise().count().maxCoeff(); }

}  // namespace

TEST_CASE("split columns: a matrix without dense columns stays as it is") {
  Random random(1);
  const MatrixXd S = with_dense_columns(random, 50);
  const SplitColumns split = split_columns(S.sparseView());
  CHECK(split.rows == 50);
  CHECK(split.S.toDense() == S);
}

TEST_CASE("split columns: the elimination of the links leaves S S'") {
  Random random(2);
  for (const Eigen::Index m : {70, 150, 333}) {
    CAPTURE(m);
    const MatrixXd S = with_dense_columns(random, m);
    const SplitColumns split = split_columns(S.sparseView());
    const MatrixXd T = split.S.toDense(), all = T * T.transpose();
    const Eigen::Index links = T.rows() - m;
    REQUIRE(links > 0);
    CHECK(T.cols() == S.cols() + links);
    CHECK(most_entries_in_column(T) < 64);
    const MatrixXd eliminated =
        all.topLeftCorner(m, m) - all.topRightCorner(m, links) *
                                      dense::solve(all.bottomRightCorner(links, links), all.bottomLeftCorner(links, m));
    CHECK((eliminated - S * S.transpose()).cwiseAbs().maxCoeff() < rounding * static_cast<double>(m));
  }
}

TEST_CASE("split columns: the rank grows by the number of links, dependent rows included") {
  Random random(3);
  MatrixXd S = with_dense_columns(random, 100);
  S.row(99) = S.row(1) + S.row(4);
  const SplitColumns split = split_columns(S.sparseView());
  const Eigen::Index links = split.S.rows() - 100;
  CHECK(links > 0);
  CHECK(dense::rank(S) == 99);
  // In the split matrix the sum of two rows vanishes only together with links.
  CHECK(dense::rank(split.S.toDense()) == 99 + links);
}
