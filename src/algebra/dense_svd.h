// Singular values of a small dense matrix, each to almost full relative accuracy for its size in a graded matrix.
//
//   A = U diag(values) Vᵀ
//
// One-sided Jacobi rotations on the triangular factor of a QR with column pivoting (Demmel and Veselić; Drmač): it has
// no threshold of its own, so small values are as trustworthy as large ones.
// Before: A is finite. Values come in descending order, min(rows, columns) of them. Columns of U and V that belong to
// a value of zero are not determined and must not be used.
#pragma once

#include <Eigen/Core>

namespace stillpoint {

struct DenseSvd {
  Eigen::MatrixXd U;  ///< rows × min; empty unless asked for
  Eigen::VectorXd values;
  Eigen::MatrixXd V;  ///< columns × min; empty unless asked for
};

DenseSvd dense_svd(const Eigen::MatrixXd& A, bool with_vectors);

}  // namespace stillpoint
