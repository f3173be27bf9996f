// Gramians of a linear system by Hammarling's method [Hammarling 1982].
//
//   A P + P Aᵀ + B Bᵀ = 0,   P = L Lᵀ      A, P, L: n × n,  B: n × inputs
//
// The factor L is found without forming P. The small singular values of products of two such factors are therefore
// accurate to ε times the largest value, not only to √ε times it. All eigenvalues of A must have Re s < 0, and all
// entries must be finite.
#pragma once

#include <Eigen/Core>

namespace stillpoint {

/// Returns L, a square matrix.
Eigen::MatrixXd gramian_factor(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

}  // namespace stillpoint
