// Factorisation of a positive semidefinite matrix of low rank.
#pragma once

#include <Eigen/Core>
#include <optional>

namespace stillpoint {

/// Returns B of A = B Bᵀ by Cholesky's method with pivoting, if A has no negative eigenvalue and a rank of at
/// most `most`. The remainder of a diagonal entry is compared with its first value, so small entries survive beside
/// large ones.
std::optional<Eigen::MatrixXd> low_rank_factor(const Eigen::MatrixXd& A, Eigen::Index most);

}  // namespace stillpoint
