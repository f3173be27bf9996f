// Products of dense matrices by BLAS, which is made for the machine that runs it (docs/dependencies.md): for large ones
// several times as fast as what is compiled for any machine.
#pragma once

#include <Eigen/Core>

namespace stillpoint {

/// A B.
Eigen::MatrixXd product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
/// Aᵀ B.
Eigen::MatrixXd transposed_product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
/// C −= A B.
void subtract_product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, Eigen::MatrixXd& C);
/// A X; nothing is done for imaginary parts that are all zero.
Eigen::MatrixXcd product(const Eigen::MatrixXd& A, const Eigen::MatrixXcd& X);

/// A matrix in memory, column after column, `stride` apart.
struct DenseBlock {
  const double* first = nullptr;
  int rows = 0, columns = 0, stride = 1;
};

/// C −= A Bᵀ, with as many rows as A and columns as B has rows, columns `stride` apart.
void subtract_transposed_product(const DenseBlock& A, const DenseBlock& B, double* C, int stride);

/// C −= A B.
void subtract_product(const DenseBlock& A, const DenseBlock& B, double* C, int stride);

enum class Triangle { as_it_is, transposed };
/// X ← X L⁻¹ or X L⁻ᵀ, L lower triangular with ones on the diagonal, which are not read. X has `rows` rows, and columns
/// one after another.
void divide_by_unit_triangle(const DenseBlock& L, Triangle triangle, double* X, int rows);

}  // namespace stillpoint
