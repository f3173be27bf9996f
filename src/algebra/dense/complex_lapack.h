// Eigenvalues, Schur form and singular values of complex dense matrices, by LAPACK (zgeev, zgees, ztrsen, zgesdd); the
// complex counterpart of lapack.h. Each function throws Undecided if an entry or a result is not finite, or if its
// iteration does not converge.
#pragma once

#include "algebra/dense/lapack.h"

namespace stillpoint {

/// Solves A x = s x; the eigenvectors have unit length.
GeneralEigen solve_unsymmetric(Eigen::MatrixXcd A);

/// An orthonormal basis Z of an invariant subspace, A Z = Z T, that belongs to the chosen eigenvalues.
struct ComplexLeadingSchur {
  Eigen::MatrixXcd Z, T;
};
/// `choose` marks the wanted eigenvalues among those it is given, which are in the order of the Schur form.
ComplexLeadingSchur leading_schur(Eigen::MatrixXcd A,
                                  const std::function<std::vector<bool>(const Eigen::VectorXcd&)>& choose);

/// The singular value decomposition A = U diag(values) Vᴴ; the values descend.
struct ComplexSingularValues {
  Eigen::MatrixXcd U;  ///< m × m
  Eigen::VectorXd values;
  Eigen::MatrixXcd V;  ///< n × n
};
ComplexSingularValues decompose(Eigen::MatrixXcd A);

}  // namespace stillpoint
