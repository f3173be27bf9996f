// Dense orthonormal bases of null(J) by SVD, QR, Gram–Schmidt or the zero-eigenvalue theorem ([González 2017] §3.1,
// [Blajer 1994] §1); their columns are no physical coordinates.
//
//   J R = 0,   Rᵀ R = I                                                                                  (3.6)
//
// The columns are in the units of q. J has full row rank; its rows are scaled, which does not change its null space.
#pragma once

#include <Eigen/Core>

#include "stillpoint/forms.h"

namespace stillpoint {

/// `basis` is svd, qr, gram_schmidt or zero_eigenvalue. Throws Error if J is too badly conditioned for the last one.
Eigen::MatrixXd orthonormal_basis(const Eigen::MatrixXd& J, NullSpaceBasis basis);

/// Returns the S of least norm with J S = G.
Eigen::MatrixXd shortest_solution(const Eigen::MatrixXd& J, const Eigen::MatrixXd& G);

}  // namespace stillpoint
