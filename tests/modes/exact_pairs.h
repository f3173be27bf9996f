// All eigenpairs of small systems with a regular M_r, from a dense linearisation on null(J).
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <complex>
#include <vector>

#include "algebra/dense/lapack.h"
#include "stillpoint/linear_system.h"
#include "support/dense_reference.h"

namespace stillpoint::testing {

/// P(s) x = 0 and yᴴ P(s) = 0 but for forces of constraints.
struct ExactPair {
  std::complex<double> s;
  Eigen::VectorXcd x, y;
};

inline std::vector<ExactPair> exact_pairs(const LinearSystem& system) {
  const Eigen::MatrixXd R = dense::null_space(system.J.toDense());
  const auto on_motions = [&](const SparseMatrix& A) -> Eigen::MatrixXd { return R.transpose() * (A * R); };
  const Eigen::MatrixXd M = on_motions(system.M), C = on_motions(system.C), K = on_motions(system.K);
  const Eigen::Index k = R.cols();
  const auto eigen = [&](const Eigen::MatrixXd& mass, const Eigen::MatrixXd& damping,
                         const Eigen::MatrixXd& stiffness) {
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * k, 2 * k);
    A.topRightCorner(k, k).setIdentity();
    A.bottomLeftCorner(k, k) = -dense::solve(mass, stiffness);
    A.bottomRightCorner(k, k) = -dense::solve(mass, damping);
    return solve_unsymmetric(A);
  };
  const GeneralEigen right = eigen(M, C, K), left = eigen(M.transpose(), C.transpose(), K.transpose());
  std::vector<ExactPair> pairs;
  for (Eigen::Index i = 0; i < 2 * k; ++i) {
    const std::complex<double> s = right.values[i];
    Eigen::Index partner = 0;
    (left.values.array() - std::conj(s)).abs().minCoeff(&partner);
    const auto vector = [&](const GeneralEigen& of, Eigen::Index column) -> Eigen::VectorXcd {
      return (R * of.vectors.col(column).head(k)).normalized();
    };
    pairs.push_back({s, vector(right, i), vector(left, partner)});
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const ExactPair& a, const ExactPair& b) { return std::abs(a.s) < std::abs(b.s); });
  return pairs;
}

}  // namespace stillpoint::testing
