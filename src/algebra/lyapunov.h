// Gramians by their factors (Hammarling 1982).
//
//   A P + P Aᵀ + B Bᵀ = 0,   P = L Lᵀ
//
// L is found without P, so small singular values of products of such factors are good to ε times the largest, not to
// its root. Before: all eigenvalues of A have Re s < 0; numbers are finite.
#pragma once

#include <Eigen/Core>

namespace stillpoint {

/// L, square.
Eigen::MatrixXd gramian_factor(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

}  // namespace stillpoint
