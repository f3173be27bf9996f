// Eigenvalues and singular values of complex dense matrices, by LAPACK: what lapack.h has for real ones.
// Before: all numbers are finite. std::runtime_error if an iteration does not converge.
#pragma once

#include "algebra/lapack.h"

namespace stillpoint {

/// A x = s x; vectors of length one.
GeneralEigen solve_general(Eigen::MatrixXcd A);

/// A Z = Z T, Z orthonormal, for the eigenvalues that are asked for: an invariant subspace.
struct ComplexLeadingSchur {
  Eigen::MatrixXcd Z, T;
};
/// `choose`: which of these values, in the order that Schur's form has by itself.
ComplexLeadingSchur leading_schur(Eigen::MatrixXcd A,
                                  const std::function<std::vector<bool>(const Eigen::VectorXcd&)>& choose);

/// A = U diag(values) Vᴴ, values descending.
struct ComplexSingularValues {
  Eigen::MatrixXcd U;  ///< square: all vectors
  Eigen::VectorXd values;
  Eigen::MatrixXcd V;  ///< square
};
ComplexSingularValues decompose(Eigen::MatrixXcd A);

}  // namespace stillpoint
