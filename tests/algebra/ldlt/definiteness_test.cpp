// Definiteness by the inertia of a factorisation, against the eigenvalues.

#include "algebra/ldlt/definiteness.h"

#include <doctest/doctest.h>

#include <Eigen/Core>

#include "support/dense_reference.h"
#include "support/seeded.h"

using namespace stillpoint;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

SparseMatrix sparse(const MatrixXd& A) { return A.sparseView(); }

MatrixXd chain(Eigen::Index n, double diagonal) {
  MatrixXd K = diagonal * MatrixXd::Identity(n, n);
  K.diagonal(1).setConstant(-1);
  K.diagonal(-1).setConstant(-1);
  return K;
}

}  // namespace

TEST_CASE("definiteness: the signs of random symmetric matrices are those of their eigenvalues") {
  Random random(1);
  int definite = 0;
  for (int draw = 0; draw < 60; ++draw) {
    CAPTURE(draw);
    const Eigen::Index n = random.whole(1, 8);
    MatrixXd A = MatrixXd::NullaryExpr(n, n, [&](auto, auto) { return random.between(-1, 1); });
    A = (A + A.transpose()).eval() + random.between(0, 5) * MatrixXd::Identity(n, n);
    const double least = dense::symmetric_eigenvalues(A)[0];
    definite += least > 0;
    CHECK(has_negative_eigenvalue(sparse(A)) == (least < 0));
    CHECK(is_positive_definite(sparse(A)) == (least > 0));
  }
  CHECK(definite > 10);
  CHECK(definite < 50);
}

TEST_CASE("definiteness: a free chain is semidefinite: neither negative nor positive definite") {
  MatrixXd K = chain(20, 2);
  K(0, 0) = K(19, 19) = 1;
  CHECK(!has_negative_eigenvalue(sparse(K)));
  CHECK(!is_positive_definite(sparse(K)));
  CHECK(is_positive_definite(sparse(chain(20, 2))));
  CHECK(has_negative_eigenvalue(sparse(chain(20, 1.97))));  // the least is 2 cos(π/21) below the diagonal
}

TEST_CASE("definiteness: semidefinite matrices that are not diagonally dominant have no negative eigenvalue") {
  Random random(2);
  for (int draw = 0; draw < 30; ++draw) {
    CAPTURE(draw);
    const MatrixXd B = MatrixXd::NullaryExpr(3, 8, [&](auto, auto) { return random.between(-1, 1); });
    VectorXd units(8);
    for (double& unit : units) unit = random.scaled(1e-4, 1e4);
    const MatrixXd A = units.asDiagonal() * (B.transpose() * B) * units.asDiagonal();  // rank 3
    CHECK(!has_negative_eigenvalue(sparse(A)));
    CHECK(!is_positive_definite(sparse(A)));
    CHECK(has_negative_eigenvalue(sparse(-A)));
  }
}

TEST_CASE("definiteness: damping supplies no energy if its symmetric part has no negative eigenvalue") {
  const MatrixXd gyroscopic{{0, 7}, {-7, 0}};
  CHECK(is_dissipative(sparse(gyroscopic)));
  CHECK(is_dissipative(sparse(gyroscopic + MatrixXd::Identity(2, 2))));
  CHECK(!is_dissipative(sparse(gyroscopic - 0.01 * MatrixXd::Identity(2, 2))));
  CHECK(!is_dissipative(sparse(MatrixXd{{0, 1}, {1, 0}})));
  CHECK(is_dissipative(SparseMatrix(3, 3)));
}
