// Low-rank damping by itself: its roots and vectors, and where it gives no answer.

#include "modes/dense/low_rank_damping.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>
#include <complex>

#include "algebra/dense/lapack.h"
#include "support/dense_reference.h"
#include "support/seeded.h"

using namespace stillpoint;
using Complex = std::complex<double>;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;

namespace {

constexpr double rounding = 1e-11;  // of a dense linearisation of order 100, to which roots are compared

constexpr Eigen::Index n = 50;

Summed summed(const MatrixXd& A) { return {A, A.cwiseAbs()}; }

/// A chain of different masses with as many dampers.
struct Row {
  MatrixXd M = MatrixXd::Zero(n, n), C = M, K = M;

  explicit Row(int dampers) {
    Random random(1);
    for (Eigen::Index i = 0; i < n; ++i) {
      M(i, i) = random.between(0.5, 2);
      K(i, i) += 0.1;
      if (i > 0) add(K, i, i - 1, random.between(0.5, 2));
    }
    for (int k = 0; k < dampers; ++k) {
      const Eigen::Index i = 1 + random.below(static_cast<Index>(n) - 1);
      add(C, i, i - 1, random.between(1e-3, 1e-2));
    }
  }
  static void add(MatrixXd& A, Eigen::Index i, Eigen::Index j, double size) {
    A(i, i) += size;
    A(j, j) += size;
    A(i, j) -= size;
    A(j, i) -= size;
  }
  ScaledQuadratic scaled_problem() const { return scaled({summed(M), summed(C), summed(K)}); }
};

VectorXcd values_of(const MatrixXd& M, const MatrixXd& C, const MatrixXd& K) {
  const Eigen::Index k = M.rows();
  MatrixXd A = MatrixXd::Zero(2 * k, 2 * k);
  A.topRightCorner(k, k).setIdentity();
  A.bottomLeftCorner(k, k) = -dense::solve(M, K);
  A.bottomRightCorner(k, k) = -dense::solve(M, C);
  return solve_unsymmetric(A).values;
}

}  // namespace

TEST_CASE("low-rank damping: the roots are all eigenvalues, of each pair the upper one, and the vectors solve them") {
  const ScaledQuadratic P = Row(3).scaled_problem();
  const auto found = LowRankDamping::solve(P);
  REQUIRE(found);
  const VectorXcd exact = values_of(P.M, P.C, P.K);
  Eigen::Index count = 0;
  for (std::size_t k = 0; k < found->roots().size(); ++k) {
    CAPTURE(k);
    const ModalRoot& root = found->roots()[k];
    const VectorXcd x = found->vectors().col(static_cast<Eigen::Index>(k));
    count += root.s.imag() > 0 ? 2 : 1;
    CHECK(root.is_converged);
    CHECK(root.s.imag() >= 0);
    CHECK((exact.array() - root.s).abs().minCoeff() < rounding);
    CHECK((root.s * root.s * (P.M * x) + root.s * (P.C * x) + P.K * x).norm() < rounding * x.norm());
  }
  CHECK(count == 2 * n);
}

TEST_CASE("low-rank damping: constraints move each root to one of the constrained problem") {
  const ScaledQuadratic P = Row(2).scaled_problem();
  const auto found = LowRankDamping::solve(P);
  REQUIRE(found);
  MatrixXd J = MatrixXd::Zero(1, n);
  J(0, 10) = 1;
  J(0, 11) = -1e-3;
  const auto constrained = found->constrained(P.C, J, {0, 1, 2});
  REQUIRE(constrained);
  const MatrixXd R = dense::null_space(J);
  const VectorXcd exact = values_of(R.transpose() * P.M * R, R.transpose() * P.C * R, R.transpose() * P.K * R);
  int converged = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const ModalRoot& root = constrained->roots[k];
    if (!root.is_converged) continue;
    ++converged;
    CHECK((exact.array() - root.s).abs().minCoeff() < rounding);
    CHECK((J * constrained->vectors.col(static_cast<Eigen::Index>(k))).norm() < 1e-9);
  }
  CHECK(converged > 0);
}

TEST_CASE("low-rank damping: no answer for many dampers, for small problems, and for damping that supplies energy") {
  const Row full(49);
  CHECK(!LowRankDamping::solve(full.scaled_problem()));
  Row active(2);
  active.C(4, 4) -= 5;
  CHECK(!LowRankDamping::solve(active.scaled_problem()));
  const Row row(1);
  const auto corner = [](const MatrixXd& A) { return summed(A.topLeftCorner(12, 12)); };
  CHECK(!LowRankDamping::solve(scaled({corner(row.M), corner(row.C), corner(row.K)})));
}

TEST_CASE("modal problem: the products of each row with itself, the lower triangle in columns") {
  const ModalProblem problem(Eigen::VectorXd{{1, 2}}, MatrixXd{{3, 4}, {5, 6}}, Eigen::VectorXd{{1, 1}});
  CHECK(problem.order() == 2);
  CHECK(problem.columns() == 2);
  REQUIRE(problem.products.rows() == 3);
  Eigen::VectorXd first = problem.products.col(0);
  std::sort(first.begin(), first.end());
  CHECK(first == Eigen::VectorXd{{9, 12, 16}});
}
