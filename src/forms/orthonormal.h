// Orthonormal bases of null(J), dense: tangent velocities without a coordinate of their own (paper 000 §3.1, paper 001
// §1).
//
//   J R = 0,   Rᵀ R = I                                                                                  (T11)
//
// In the units of q. J has full row rank; its rows are scaled, which changes no tangent.
#pragma once

#include <Eigen/Core>

#include "stillpoint/forms.h"

namespace stillpoint {

/// `tangent` is svd, qr, gram_schmidt or zero_eigenvalue. Throws Error if J is too badly conditioned for the last.
Eigen::MatrixXd orthonormal_tangents(const Eigen::MatrixXd& J, Tangent tangent);

/// The shortest S with J S = G.
Eigen::MatrixXd shortest_solution(const Eigen::MatrixXd& J, const Eigen::MatrixXd& G);

}  // namespace stillpoint
