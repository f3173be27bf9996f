// Lists what of Eigen is compiled once, in decompositions.cpp: decompositions of dense matrices, the kernels of dense
// products, and copies of sparse matrices. The precompiled header includes this file, so that a file that uses them
// does not compile them again.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SparseCore>
#include <complex>

// A product of panels: which of them are conjugated.
#define STILLPOINT_PANELS(SCALAR, LEFT, RIGHT)                                                       \
  template struct Eigen::internal::gebp_kernel<                                                      \
      SCALAR, SCALAR, Eigen::Index,                                                                  \
      Eigen::internal::blas_data_mapper<SCALAR, Eigen::Index, Eigen::ColMajor, Eigen::Unaligned, 1>, \
      Eigen::internal::gebp_traits<SCALAR, SCALAR>::mr, Eigen::internal::gebp_traits<SCALAR, SCALAR>::nr, LEFT, RIGHT>

// A matrix times a vector: how each of them is stored, whether it is conjugated, and Eigen's variant.
#define STILLPOINT_TIMES_VECTOR(SCALAR, MATRIX, CONJUGATED, VECTOR, VECTOR_CONJUGATED, VARIANT)                        \
  template struct Eigen::internal::general_matrix_vector_product<                                                      \
      Eigen::Index, SCALAR, Eigen::internal::const_blas_data_mapper<SCALAR, Eigen::Index, MATRIX>, MATRIX, CONJUGATED, \
      SCALAR, Eigen::internal::const_blas_data_mapper<SCALAR, Eigen::Index, VECTOR>, VECTOR_CONJUGATED, VARIANT>

// A triangle times a matrix: which triangle, its storage, and whether it is conjugated.
#define STILLPOINT_TRIANGLE_TIMES(SCALAR, TRIANGLE, STORAGE, CONJUGATED)                                           \
  template struct Eigen::internal::product_triangular_matrix_matrix<SCALAR, Eigen::Index, TRIANGLE, true, STORAGE, \
                                                                    CONJUGATED, Eigen::ColMajor, false,            \
                                                                    Eigen::ColMajor, 1, Eigen::Specialized>

// A triangle of a matrix by columns, from the left.
#define STILLPOINT_TRIANGLE_SOLVES(TRIANGLE)                                                                        \
  template struct Eigen::internal::triangular_solve_matrix<double, Eigen::Index, Eigen::OnTheLeft, TRIANGLE, false, \
                                                           Eigen::ColMajor, Eigen::ColMajor, 1>

// EXTERN is `extern` in this file, and nothing in decompositions.cpp.
#define STILLPOINT_COMPILED_ONCE(EXTERN)                                                                   \
  EXTERN template class Eigen::HouseholderQR<Eigen::MatrixXd>;                                             \
  EXTERN template class Eigen::ColPivHouseholderQR<Eigen::MatrixXd>;                                       \
  EXTERN template class Eigen::PartialPivLU<Eigen::MatrixXd>;                                              \
  EXTERN template class Eigen::LLT<Eigen::MatrixXd>;                                                       \
  EXTERN template class Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;                                    \
  EXTERN STILLPOINT_PANELS(double, false, false);                                                          \
  EXTERN STILLPOINT_PANELS(std::complex<double>, false, false);                                            \
  EXTERN STILLPOINT_PANELS(std::complex<double>, true, false);                                             \
  EXTERN STILLPOINT_PANELS(std::complex<double>, false, true);                                             \
  EXTERN STILLPOINT_TIMES_VECTOR(double, Eigen::ColMajor, false, Eigen::ColMajor, false, 0);               \
  EXTERN STILLPOINT_TIMES_VECTOR(double, Eigen::ColMajor, false, Eigen::RowMajor, false, 0);               \
  EXTERN STILLPOINT_TIMES_VECTOR(double, Eigen::RowMajor, false, Eigen::ColMajor, false, 0);               \
  EXTERN STILLPOINT_TIMES_VECTOR(double, Eigen::RowMajor, false, Eigen::RowMajor, false, 1);               \
  EXTERN STILLPOINT_TIMES_VECTOR(std::complex<double>, Eigen::ColMajor, false, Eigen::RowMajor, false, 0); \
  EXTERN STILLPOINT_TIMES_VECTOR(std::complex<double>, Eigen::RowMajor, false, Eigen::ColMajor, false, 0); \
  EXTERN STILLPOINT_TIMES_VECTOR(std::complex<double>, Eigen::RowMajor, true, Eigen::ColMajor, false, 0);  \
  EXTERN STILLPOINT_TIMES_VECTOR(std::complex<double>, Eigen::RowMajor, false, Eigen::ColMajor, true, 0);  \
  EXTERN STILLPOINT_TIMES_VECTOR(std::complex<double>, Eigen::RowMajor, false, Eigen::RowMajor, true, 1);  \
  EXTERN STILLPOINT_TRIANGLE_TIMES(double, Eigen::Lower, Eigen::ColMajor, false);                          \
  EXTERN STILLPOINT_TRIANGLE_TIMES(double, Eigen::Upper, Eigen::RowMajor, false);                          \
  EXTERN STILLPOINT_TRIANGLE_TIMES(double, Eigen::UnitLower, Eigen::ColMajor, false);                      \
  EXTERN STILLPOINT_TRIANGLE_TIMES(double, Eigen::UnitUpper, Eigen::RowMajor, false);                      \
  EXTERN STILLPOINT_TRIANGLE_TIMES(std::complex<double>, Eigen::Lower, Eigen::ColMajor, true);             \
  EXTERN STILLPOINT_TRIANGLE_TIMES(std::complex<double>, Eigen::Upper, Eigen::RowMajor, false);            \
  EXTERN STILLPOINT_TRIANGLE_TIMES(std::complex<double>, Eigen::UnitLower, Eigen::ColMajor, false);        \
  EXTERN STILLPOINT_TRIANGLE_TIMES(std::complex<double>, Eigen::UnitUpper, Eigen::RowMajor, true);         \
  EXTERN STILLPOINT_TRIANGLE_SOLVES(Eigen::UnitLower);                                                     \
  EXTERN STILLPOINT_TRIANGLE_SOLVES(Eigen::Upper);                                                         \
  EXTERN template void Eigen::internal::tridiagonalization_inplace(Eigen::MatrixXd&, Eigen::VectorXd&);    \
  EXTERN template Eigen::ComputationInfo Eigen::internal::computeFromTridiagonal_impl(                     \
      Eigen::VectorXd&, Eigen::VectorXd&, Eigen::Index, bool, Eigen::MatrixXd&);                           \
  EXTERN template void Eigen::internal::assign_sparse_to_sparse(Eigen::SparseMatrix<double>&,              \
                                                                const Eigen::SparseMatrix<double>&)

STILLPOINT_COMPILED_ONCE(extern);
