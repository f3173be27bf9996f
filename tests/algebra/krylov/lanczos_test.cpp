// Block Lanczos method: the invariants of the basis, and eigenvalues of small operators whose values are known.

#include "algebra/krylov/lanczos.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "algebra/sparse/random_start.h"
#include "support/dense_reference.h"
#include "support/seeded.h"

using namespace stillpoint;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Orthogonalisation to working precision: some ten ε for each pair of some ten vectors.
constexpr double orthogonal = 1e-13;
// Projections and sums of 30 products, relative to the largest eigenvalue.
constexpr double rounding = 1e-12;

const MatrixXd nothing_locked(30, 0);

/// A = K⁻¹M of a chain of masses of different sizes between two walls; self-adjoint in the inner product of M.
struct Chain {
  explicit Chain(VectorXd masses) : m(std::move(masses)), K(MatrixXd::Zero(m.size(), m.size())) {
    K.diagonal().setConstant(2);
    K.diagonal(1).setConstant(-1);
    K.diagonal(-1).setConstant(-1);
    inverse = dense::solve(K, MatrixXd::Identity(m.size(), m.size()));
    M = MatrixXd(m.asDiagonal()).sparseView();
  }
  SelfAdjoint operation() const {
    return {[this](const VectorXd& Mx) -> VectorXd { return inverse * Mx; },
            [this](const VectorXd& x) -> VectorXd {
              VectorXd in_subspace = x;  // a point without mass lies amid the two beside it
              for (Eigen::Index i = 1; i + 1 < m.size(); ++i) {
                if (m[i] == 0) in_subspace[i] = 0.5 * (x[i - 1] + x[i + 1]);
              }
              return in_subspace;
            }};
  }
  /// Returns the eigenvalues in descending order, those of M^½ K⁻¹ M^½.
  VectorXd values() const {
    const VectorXd root = m.cwiseSqrt();
    return dense::symmetric_eigenvalues(root.asDiagonal() * inverse * root.asDiagonal()).reverse();
  }
  MatrixXd start(Index columns) const {
    MatrixXd block(m.size(), columns);
    for (Index k = 0; k < columns; ++k)
      block.col(k) = inverse * m.cwiseProduct(random_start(static_cast<Index>(m.size()), static_cast<unsigned>(k + 1)));
    return block;
  }

  VectorXd m;
  MatrixXd K, inverse;
  SparseMatrix M;
};

Chain uneven_chain() {
  Random random(1);
  return Chain(random.vector(30, 0.5, 4));
}

/// The basis vectors to which A has been applied, in columns.
MatrixXd vectors_of(LanczosBasis basis) {
  RitzPairs unit;
  unit.coefficients = MatrixXd::Identity(basis.size(), basis.size());
  std::vector<Index> all(static_cast<std::size_t>(basis.size()));
  std::iota(all.begin(), all.end(), 0);
  return basis.take_vectors(unit, all);
}

void fill(LanczosBasis& basis) {
  while (!basis.is_full() && !basis.is_complete()) basis.grow();
}

double departure_from_orthonormal(const MatrixXd& V, const SparseMatrix& M) {
  return (V.transpose() * (M * V) - MatrixXd::Identity(V.cols(), V.cols())).cwiseAbs().maxCoeff();
}

}  // namespace

TEST_CASE("Lanczos: the basis is M-orthonormal, also after restarts") {
  const Chain chain = uneven_chain();
  for (const Index block : {1, 2}) {
    LanczosBasis basis(chain.M, chain.operation(), chain.start(block), nothing_locked, 12, 30);
    for (int restart = 0; restart < 6; ++restart) {
      fill(basis);
      CAPTURE(block);
      CAPTURE(restart);
      CHECK(basis.size() == 12);
      CHECK(departure_from_orthonormal(vectors_of(basis), chain.M) < orthogonal);
      basis.restart(basis.ritz(), 5);
    }
  }
}

TEST_CASE("Lanczos: cancellation leaves nothing of the other vectors: nearly parallel start vectors") {
  // After one pass of Gram–Schmidt the remainder would be wrong by ε times what has been cancelled.
  constexpr double twice_orthogonalised = 1e-14;
  const Chain chain = uneven_chain();
  for (const double apart : {2e-3, 1e-5, 1e-9}) {
    CAPTURE(apart);
    MatrixXd start = chain.start(6);
    for (Index k = 1; k < 6; ++k) start.col(k) = start.col(0) + apart * start.col(k);
    LanczosBasis basis(chain.M, chain.operation(), start, nothing_locked, 6, 30);
    fill(basis);
    CHECK(departure_from_orthonormal(vectors_of(basis), chain.M) < twice_orthogonalised);
  }
}

TEST_CASE("Lanczos: the residual of a pair is what it says, and an eigenvalue lies within it, also after restarts") {
  const Chain chain = uneven_chain();
  const VectorXd exact = chain.values();
  LanczosBasis basis(chain.M, chain.operation(), chain.start(1), nothing_locked, 8, 30);
  for (int restart = 0; restart < 3; ++restart) {
    fill(basis);
    const RitzPairs pairs = basis.ritz();
    const MatrixXd x = vectors_of(basis) * pairs.coefficients;
    for (Index k = 0; k < pairs.size(); ++k) {
      CAPTURE(k);
      const VectorXd r = chain.inverse * (chain.M * x.col(k)) - pairs.values[k] * x.col(k);
      CHECK(std::sqrt(r.dot(chain.M * r)) == doctest::Approx(pairs.residuals[k]).epsilon(rounding).scale(exact[0]));
      CHECK((exact.array() - pairs.values[k]).abs().minCoeff() <= pairs.residuals[k] + rounding * exact[0]);
    }
    basis.restart(pairs, 4);
  }
}

TEST_CASE("Lanczos: restarts converge to the eigenvalues of largest magnitude, which descend") {
  const Chain chain = uneven_chain();
  const VectorXd exact = chain.values();
  LanczosBasis basis(chain.M, chain.operation(), chain.start(1), nothing_locked, 12, 30);
  int restarts = 0;
  for (fill(basis); basis.ritz().converged(rounding) < 5 && restarts < 30; ++restarts) {
    basis.restart(basis.ritz(), 7);
    fill(basis);
  }
  CHECK(restarts > 0);
  CHECK(restarts < 30);
  CHECK((basis.ritz().values.head(5) - exact.head(5)).cwiseAbs().maxCoeff() < rounding * exact[0]);
}

TEST_CASE("Lanczos: values of both signs are ordered by their magnitude") {
  const VectorXd d = VectorXd{{-7, 5, 3, -2, 1, 0.5}};
  SparseMatrix M(6, 6);
  M.setIdentity();
  const SelfAdjoint A{[&](const VectorXd& x) -> VectorXd { return d.cwiseProduct(x); },
                      [](const VectorXd& x) { return x; }};
  const MatrixXd none(6, 0);
  LanczosBasis basis(M, A, random_start(6), none, 6, 6);
  fill(basis);
  CHECK(basis.is_complete());
  CHECK((basis.ritz().values - d).norm() < rounding * 7);
}

TEST_CASE("Lanczos: a block of two start vectors finds both vectors of a double eigenvalue") {
  VectorXd d = VectorXd::LinSpaced(30, 1, 5);
  d[3] = d[20] = 9;
  SparseMatrix M(30, 30);
  M.setIdentity();
  const SelfAdjoint A{[&](const VectorXd& x) -> VectorXd { return d.cwiseProduct(x); },
                      [](const VectorXd& x) { return x; }};
  MatrixXd start(30, 2);
  start << random_start(30, 1), random_start(30, 2);
  LanczosBasis basis(M, A, start, nothing_locked, 20, 30);
  fill(basis);
  const RitzPairs pairs = basis.ritz();
  CHECK((pairs.values.head(2).array() - 9).abs().maxCoeff() < rounding * 9);
  const MatrixXd x = basis.take_vectors(pairs, {0, 1});
  CHECK(std::abs(x(3, 0) * x(20, 1) - x(3, 1) * x(20, 0)) == doctest::Approx(1));  // they span both unit vectors
}

TEST_CASE("Lanczos: locked vectors are not found again, and the basis stays orthogonal to them") {
  const Chain chain = uneven_chain();
  const VectorXd exact = chain.values();
  LanczosBasis first(chain.M, chain.operation(), chain.start(1), nothing_locked, 30, 30);
  fill(first);
  const MatrixXd locked = first.take_vectors(first.ritz(), {0, 1, 2});
  LanczosBasis basis(chain.M, chain.operation(), chain.start(1), locked, 30, 30);
  fill(basis);
  CHECK(basis.size() == 27);
  CHECK(basis.is_complete());
  CHECK((locked.transpose() * (chain.M * vectors_of(basis))).cwiseAbs().maxCoeff() < orthogonal);
  CHECK((basis.ritz().values - exact.tail(27)).cwiseAbs().maxCoeff() < rounding * exact[0]);
}

TEST_CASE("Lanczos: with a singular M the basis is complete at the rank of M, with all eigenvalues that are not zero") {
  VectorXd m = VectorXd::Ones(10);
  m[2] = m[5] = m[7] = 0;
  const Chain chain(m);
  const MatrixXd none(10, 0);
  LanczosBasis basis(chain.M, chain.operation(), chain.start(1), none, 10, 7);
  fill(basis);
  CHECK(basis.is_complete());
  CHECK(basis.size() == 7);
  CHECK((basis.ritz().values - chain.values().head(7)).cwiseAbs().maxCoeff() < rounding * chain.values()[0]);
}

TEST_CASE("Lanczos: only leading pairs count as converged") {
  const RitzPairs pairs{VectorXd{{-4, 2, 1}}, VectorXd{{4e-9, 1e-3, 0}}, {}};
  CHECK(pairs.converged(1e-9) == 1);
  CHECK(pairs.converged(1e-10) == 0);
  CHECK(pairs.converged(1e-2) == 3);
}
