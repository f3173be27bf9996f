// Products of dense matrices by BLAS, which is made for the machine that runs it (docs/dependencies.md): for large ones
// several times as fast as what is compiled for any machine.
#pragma once

#include <Eigen/Core>

namespace stillpoint {

/// A B.
Eigen::MatrixXd product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
/// A X; nothing is done for imaginary parts that are all zero.
Eigen::MatrixXcd product(const Eigen::MatrixXd& A, const Eigen::MatrixXcd& X);

/// A matrix in memory, column after column, `stride` apart.
struct DenseBlock {
  const double* first = nullptr;
  int rows = 0, columns = 0, stride = 1;
};

/// C −= A Bᵀ, with C of rows × rows as A and B have, columns `stride` apart.
void subtract_transposed_product(const DenseBlock& A, const DenseBlock& B, double* C, int stride);

}  // namespace stillpoint
