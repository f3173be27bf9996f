// The largest singular value to about one percent, never above the exact one.

#include "algebra/krylov/largest_singular_value.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <cmath>
#include <numbers>
#include <vector>

#include "support/dense_reference.h"
#include "support/seeded.h"

using namespace stillpoint;

namespace {

constexpr double percent = 0.01;    // the accuracy that is promised
constexpr double rounding = 1e-12;  // an estimate approaches from below

void check_estimate(const SparseMatrix& S, double exact) {
  const double estimate = largest_singular_value(S);
  CHECK(estimate <= (1 + rounding) * exact);
  CHECK(estimate >= (1 - percent) * exact);
}

}  // namespace

TEST_CASE("largest singular value: of a chain it is 2 cos(π / (2N + 2)), whatever its length") {
  for (const Index N : {1, 2, 5, 30, 400, 3000}) {
    std::vector<Eigen::Triplet<double, Index>> entries;
    for (Index i = 0; i < N; ++i) {
      entries.emplace_back(i, i, 1);
      entries.emplace_back(i, i + 1, -1);
    }
    SparseMatrix S(N, N + 1);
    S.setFromTriplets(entries.begin(), entries.end());
    CAPTURE(N);
    check_estimate(S, 2 * std::cos(std::numbers::pi / (2 * N + 2)));
  }
}

TEST_CASE("largest singular value: of random matrices of all shapes it is that of the dense decomposition") {
  Random random(1);
  for (int draw = 0; draw < 30; ++draw) {
    const Eigen::Index rows = random.whole(1, 20), columns = random.whole(1, 20);
    const Eigen::MatrixXd S =
        Eigen::MatrixXd::NullaryExpr(rows, columns, [&](auto, auto) { return random.between(-1, 1); });
    check_estimate(S.sparseView(), dense::singular_values(S)[0]);
  }
}

TEST_CASE("largest singular value: a single large entry among many small ones is found, in any unit") {
  for (const double unit : {1e-6, 1.0, 1e6}) {
    Eigen::VectorXd d = Eigen::VectorXd::Constant(50, unit);
    d[17] = 3 * unit;
    check_estimate(Eigen::MatrixXd(d.asDiagonal()).sparseView(), 3 * unit);
  }
}

TEST_CASE("largest singular value: of a zero matrix it is zero") {
  CHECK(largest_singular_value(SparseMatrix(4, 3)) == 0);
  CHECK(largest_singular_value(SparseMatrix(1, 1)) == 0);
}
