// Patterns of bordered symmetric matrices, and parts that are added to them.

#include "algebra/sparse/bordered_pattern.h"

#include <doctest/doctest.h>

#include <Eigen/Core>

#include "algebra/sparse/symmetry.h"
#include "support/seeded.h"

using namespace stillpoint;
using Eigen::MatrixXd;

namespace {

MatrixXd drawn(Random& random, Eigen::Index rows, Eigen::Index columns) {
  return MatrixXd::NullaryExpr(rows, columns, [&](auto, auto) { return random.maybe(0.3) ? random.entry() : 0.0; });
}

/// Ones at all stored entries.
MatrixXd stored(SparseMatrix A) {
  A.coeffs().setOnes();
  return A.toDense();
}

}  // namespace

TEST_CASE("bordered pattern: all blocks and their transposes, the borders on both sides, and a full diagonal") {
  Random random(1);
  for (int draw = 0; draw < 30; ++draw) {
    CAPTURE(draw);
    const Eigen::Index n = random.whole(1, 10), r = random.whole(0, 4), t = random.whole(0, 3);
    const MatrixXd M = drawn(random, n, n), K = drawn(random, n, n), J = drawn(random, r, n), B = drawn(random, t, n);
    const SparseMatrix sparse_M = M.sparseView(), sparse_K = K.sparseView(), sparse_J = J.sparseView(),
                       sparse_B = B.sparseView();
    const SparseMatrix pattern = bordered_pattern({&sparse_M, &sparse_K}, {&sparse_J, &sparse_B});
    MatrixXd expected = MatrixXd::Identity(n + r + t, n + r + t);
    expected.topLeftCorner(n, n) += (M.cwiseAbs() + M.cwiseAbs().transpose() + K.cwiseAbs() + K.cwiseAbs().transpose());
    expected.block(n, 0, r, n) = J;
    expected.bottomLeftCorner(t, n) = B;
    expected.topRightCorner(n, r + t) = expected.bottomLeftCorner(r + t, n).transpose();
    CHECK(stored(pattern) == MatrixXd((expected.array() != 0).cast<double>()));
    CHECK(pattern.toDense().isZero(0));
    CHECK(has_symmetric_pattern(pattern));
  }
}

TEST_CASE("bordered pattern: parts are added at their corner, as they are and transposed, with a factor") {
  Random random(2);
  const MatrixXd K = drawn(random, 6, 6), J = drawn(random, 3, 6);
  const SparseMatrix sparse_K = K.sparseView(), sparse_J = J.sparseView();
  SparseMatrix A = bordered_pattern({&sparse_K}, {&sparse_J});
  add_part(A, sparse_K, 2);
  add_part(A, sparse_K, 0.5);
  add_transposed_part(A, sparse_K, -1);
  add_part(A, sparse_J, 3, {.row = 6});
  add_transposed_part(A, sparse_J, 4, {.column = 6});
  MatrixXd expected = MatrixXd::Zero(9, 9);
  expected.topLeftCorner(6, 6) = 2.5 * K - K.transpose();
  expected.bottomLeftCorner(3, 6) = 3 * J;
  expected.topRightCorner(6, 3) = 4 * J.transpose();
  CHECK((A.toDense() - expected).cwiseAbs().maxCoeff() < 1e-15);  // two roundings of numbers up to 4
}
