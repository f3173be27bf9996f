#include "algebra/dense/blas.h"

extern "C" {
// dgemm computes C = alpha op(A) op(B) + beta C.
void dgemm_(const char* op_A, const char* op_B, const int* rows, const int* columns, const int* inner,
            const double* alpha, const double* A, const int* lda, const double* B, const int* ldb, const double* beta,
            double* C, const int* ldc);
// dtrsm computes X = alpha X op(A)⁻¹, the triangular matrix A standing on the right.
void dtrsm_(const char* side, const char* triangle, const char* op_A, const char* diagonal, const int* rows,
            const int* columns, const double* alpha, const double* A, const int* lda, double* X, const int* ldx);
}

namespace stillpoint {

namespace {

// Returns op(A) B, where op(A) has `rows_of_op` rows.
Eigen::MatrixXd product_of(const char* op, const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                           Eigen::Index rows_of_op) {
  const int rows = static_cast<int>(rows_of_op), columns = static_cast<int>(B.cols()),
            inner = static_cast<int>(B.rows()), stride = static_cast<int>(A.rows());
  if (rows == 0 || columns == 0 || inner == 0) return Eigen::MatrixXd::Zero(rows, columns);
  Eigen::MatrixXd C(rows, columns);
  const double one = 1, zero = 0;
  dgemm_(op, "N", &rows, &columns, &inner, &one, A.data(), &stride, B.data(), &inner, &zero, C.data(), &rows);
  return C;
}

}  // namespace

Eigen::MatrixXd product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) { return product_of("N", A, B, A.rows()); }

Eigen::MatrixXd transposed_product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  return product_of("T", A, B, A.cols());
}

void subtract_product(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, Eigen::MatrixXd& C) {
  const int rows = static_cast<int>(A.rows()), columns = static_cast<int>(B.cols()), inner = static_cast<int>(A.cols());
  if (rows == 0 || columns == 0 || inner == 0) return;
  subtract_product({A.data(), rows, inner, rows}, {B.data(), inner, columns, inner}, C.data(), rows);
}

Eigen::MatrixXcd product(const Eigen::MatrixXd& A, const Eigen::MatrixXcd& X) {
  Eigen::MatrixXcd AX = Eigen::MatrixXcd::Zero(A.rows(), X.cols());
  AX.real() = product(A, Eigen::MatrixXd(X.real()));
  const Eigen::MatrixXd imaginary = X.imag();
  if ((imaginary.array() != 0).any()) AX.imag() = product(A, imaginary);
  return AX;
}

void subtract_transposed_product(const DenseBlock& A, const DenseBlock& B, double* C, int stride) {
  const double minus_one = -1, one = 1;
  dgemm_("N", "T", &A.rows, &B.rows, &A.columns, &minus_one, A.first, &A.stride, B.first, &B.stride, &one, C, &stride);
}

void subtract_product(const DenseBlock& A, const DenseBlock& B, double* C, int stride) {
  const double minus_one = -1, one = 1;
  dgemm_("N", "N", &A.rows, &B.columns, &A.columns, &minus_one, A.first, &A.stride, B.first, &B.stride, &one, C,
         &stride);
}

void divide_by_unit_triangle(const DenseBlock& L, Triangle triangle, double* X, int rows) {
  const double one = 1;
  const char* const op = triangle == Triangle::transposed ? "T" : "N";
  dtrsm_("R", "L", op, "U", &rows, &L.columns, &one, L.first, &L.stride, X, &rows);
}

}  // namespace stillpoint
