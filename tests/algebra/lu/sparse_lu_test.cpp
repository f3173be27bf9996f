// Sparse LU of real matrices: solutions, singular matrices, and pivots that no longer fit.

#include "algebra/lu/sparse_lu.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <cmath>

#include "support/dense_reference.h"
#include "support/seeded.h"

using namespace stillpoint;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// The factorisation refers to its matrix: one of Eigen's would become a temporary.
template <class Matrix>
constexpr bool is_accepted = requires(SparseLu& lu, Matrix& A) {
  lu.factor(A);
};
static_assert(is_accepted<SparseMatrix> && is_accepted<const SparseMatrix>);
static_assert(!is_accepted<Eigen::SparseMatrix<double>>);

// A refined solution leaves a residual of a few ε ‖A‖ ‖x‖.
constexpr double rounding = 1e-14;

MatrixXd sparse_matrix(Random& random, Index n) {
  MatrixXd A = MatrixXd::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    A(i, (i + 3) % n) = random.entry();
    for (int k = 0; k < 3; ++k) A(i, random.below(n)) += random.entry();
  }
  return A;
}

double residual(const SparseMatrix& A, const VectorXd& x, const VectorXd& b) {
  return (A * x - b).norm() / (A.norm() * x.norm() + b.norm());
}

}  // namespace

TEST_CASE("sparse LU: solutions have the residual of rounding and are those of the dense decomposition") {
  Random random(1);
  for (int draw = 0; draw < 30; ++draw) {
    CAPTURE(draw);
    const Index n = random.whole(4, 30);
    const SparseMatrix A = sparse_matrix(random, n).sparseView();
    SparseLu lu(A);
    if (!lu.factor(A)) {
      CHECK(dense::rank(A.toDense()) < n);
      continue;
    }
    const VectorXd b = random.vector(n, -1, 1), x = lu.solve(b), exact = dense::solve(A.toDense(), b);
    CHECK(residual(A, x, b) < rounding);
    CHECK((x - exact).norm() < 1e-9 * exact.norm());  // condition numbers up to 10⁵
  }
}

TEST_CASE("sparse LU: singular matrices are refused, by their pattern, exactly and to rounding") {
  MatrixXd by_pattern = MatrixXd::Identity(3, 3), exactly(3, 3), to_rounding(2, 2);
  by_pattern(1, 1) = 0;  // an empty column
  exactly << 1, 2, 3, 4, 5, 6, 5, 7, 9;
  to_rounding << 1, 1, 1, 1 + 1e-15;
  for (const MatrixXd& dense : {by_pattern, exactly, to_rounding}) {
    const SparseMatrix A = dense.sparseView();
    SparseLu lu(A);
    CHECK(!lu.factor(A));
  }
  const SparseMatrix regular = MatrixXd{{1, 1}, {1, 1 + 1e-12}}.sparseView();
  SparseLu lu(regular);
  CHECK(lu.factor(regular));
}

TEST_CASE("sparse LU: after a singular matrix the next regular one is factored") {
  const SparseMatrix singular = MatrixXd{{1, 2}, {2, 4}}.sparseView(), regular = MatrixXd{{1, 2}, {2, 5}}.sparseView();
  SparseLu lu(singular);
  CHECK(!lu.factor(singular));
  REQUIRE(lu.factor(regular));
  CHECK((lu.solve(VectorXd{{5, 12}}) - VectorXd{{1, 2}}).norm() < rounding * 10);
}

TEST_CASE("sparse LU: other values in the same pattern are solved as well, also where the former pivots vanish") {
  const MatrixXd first{{4, 1, 0}, {1, 3, 1}, {0, 1, 5}};
  const SparseMatrix pattern = first.sparseView();
  SparseLu lu(pattern);
  REQUIRE(lu.factor(pattern));
  const VectorXd b{{1, -2, 3}};
  for (const double pivot : {2.0, 1e-3, 1e-9, 1e-18, 0.0}) {
    CAPTURE(pivot);
    SparseMatrix A = pattern;
    A.coeffRef(0, 0) = pivot;
    A.coeffRef(1, 1) = pivot;
    REQUIRE(lu.factor(A));
    CHECK(residual(A, lu.solve(b), b) < rounding);
  }
  CHECK(lu.factorisations() == 6);
}

TEST_CASE("sparse LU: rows in very different units are solved, each to its own digits") {
  Random random(2);
  for (int draw = 0; draw < 10; ++draw) {
    MatrixXd A = sparse_matrix(random, 12);
    A.diagonal().array() += 8;  // dominant
    const VectorXd x = random.vector(12, 0.5, 1);
    for (Index i = 0; i < 12; ++i) A.row(i) *= random.scaled(1e-8, 1e8);
    const SparseMatrix sparse = A.sparseView();
    SparseLu lu(sparse);
    REQUIRE(lu.factor(sparse));
    CHECK((lu.solve(A * x) - x).norm() < 1e-13 * x.norm());
  }
}

TEST_CASE("sparse LU: a matrix without rows has a solution without entries") {
  const SparseMatrix none(0, 0);
  SparseLu lu(none);
  CHECK(lu.factor(none));
  CHECK(lu.solve(VectorXd(0)).size() == 0);
}
