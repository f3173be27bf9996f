// One-sided Jacobi singular value decomposition with QR preconditioning [Drmač & Veselić 2008].
//
//   A P = Q R,   Rᵀ V₁ = W Σ,   A = U Σ Vᵀ      A: m × n,  U: m × k,  Σ = diag(values),  V: n × k,  k = min(m, n)
//
// Plane rotations V₁ make the columns of Rᵀ orthogonal, where R is the triangular factor of a QR factorisation with
// column pivoting. The small singular values of a graded matrix are found to nearly full relative accuracy
// [Demmel & Veselić 1992], which methods based on bidiagonalisation do not give: those are accurate to ε ‖A‖ only.
//
// A must be finite. The values are in descending order. The columns of U and V that belong to a zero singular value are
// not determined and must not be used.
#pragma once

#include <Eigen/Core>

namespace stillpoint {

struct DenseSvd {
  Eigen::MatrixXd U;  ///< m × k; empty unless the vectors are asked for
  Eigen::VectorXd values;
  Eigen::MatrixXd V;  ///< n × k; empty unless the vectors are asked for
};

DenseSvd dense_svd(const Eigen::MatrixXd& A, bool with_vectors);

}  // namespace stillpoint
