// Dense matrix products by BLAS, level 3 [Dongarra 1990]. The BLAS library is tuned for the
// processor that runs it (docs/dependencies.md); for large matrices it is several times as fast as code compiled for
// any processor.
#pragma once

#include <Eigen/Core>

namespace stillpoint {

/// Returns A B.
Eigen::MatrixXd product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
/// Returns Aᵀ B.
Eigen::MatrixXd transposed_product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
/// Computes C ← C − A B.
void subtract_product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, Eigen::MatrixXd& C);
/// Returns A X. The imaginary part is skipped if it is zero everywhere.
Eigen::MatrixXcd product(const Eigen::MatrixXd& A, const Eigen::MatrixXcd& X);

/// A dense block of a matrix, stored column by column; consecutive columns are `stride` apart.
struct DenseBlock {
  const double* first = nullptr;
  int rows = 0, columns = 0, stride = 1;
};

/// Computes C ← C − A Bᵀ, where C has the rows of A, one column for each row of B, and columns `stride` apart.
void subtract_transposed_product(const DenseBlock& A, const DenseBlock& B, double* C, int stride);

/// Computes C ← C − A B.
void subtract_product(const DenseBlock& A, const DenseBlock& B, double* C, int stride);

enum class Triangle { as_it_is, transposed };
/// Computes X ← X L⁻¹ or X ← X L⁻ᵀ, where L is unit lower triangular; its diagonal is not read. X has `rows` rows and
/// is stored without gaps between its columns.
void divide_by_unit_triangle(const DenseBlock& L, Triangle triangle, double* X, int rows);

}  // namespace stillpoint
