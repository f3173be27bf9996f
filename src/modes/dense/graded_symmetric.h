// K x = μ M x for symmetric matrices whose eigenvalues lie many decades apart.
//
// The solvers leave ε (μ_max/μ) of fast motions in a slow one, and mix slow ones that are as near to each other as
// rounding of the fastest is large. So slow motions are solved for once more among themselves: their components along
// fast ones are removed, and the stiffness that is left on them, which is exact but for the rounding of entries that
// they feel, is a problem of its own.
#pragma once

#include "algebra/dense/lapack.h"

namespace stillpoint {

/// `free` holds motions with Kx = 0 in columns, M-orthogonal to each other: they are part of the result, and all others
/// are M-orthogonal to them. The values are in the order of their magnitudes, the free ones first. Returns nothing if M
/// is not positive definite.
std::optional<SymmetricEigen> solve_graded(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M,
                                           const Eigen::MatrixXd& free);

}  // namespace stillpoint
