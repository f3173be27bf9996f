// Eigenvalues, Schur form and singular values of real dense matrices, by LAPACK [Anderson 1999].
//
// The prototypes of the Fortran routines are written out in lapack.cpp; LAPACKE is not required. The sizes must agree.
// Each function throws Undecided if an entry or a result is not finite, or if its iteration does not converge.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <functional>
#include <optional>
#include <vector>

namespace stillpoint {

/// The eigenvalues of a matrix pencil by the QZ algorithm [Moler & Stewart 1973]: β A x = α E x,  β yᴴ A = α yᴴ E. The
/// eigenvalue is s = α/β, infinite where β = 0.
struct PencilEigen {
  Eigen::VectorXcd alpha;
  Eigen::VectorXd beta;          ///< β ≥ 0
  Eigen::MatrixXcd right, left;  ///< x and y in columns; the largest entry is about 1

  Eigen::Index size() const { return alpha.size(); }
  /// Whether β is no larger than the rounding errors with which it was computed.
  bool is_infinite(Eigen::Index i) const;
  std::complex<double> value(Eigen::Index i) const { return alpha[i] / beta[i]; }
};

PencilEigen solve_pencil(Eigen::MatrixXd A, Eigen::MatrixXd E);

struct SymmetricEigen {
  Eigen::VectorXd values;   ///< in ascending order
  Eigen::MatrixXd vectors;  ///< orthonormal; M-orthonormal for the generalised problem
};

/// Solves A x = μ x for a symmetric A, of which only the lower triangle is read.
SymmetricEigen solve_symmetric(Eigen::MatrixXd A);
/// Returns the eigenvalues of a symmetric A in ascending order.
Eigen::VectorXd symmetric_values(Eigen::MatrixXd A);
/// Solves A x = μ M x for symmetric A and M; returns nothing if M is not positive definite.
std::optional<SymmetricEigen> solve_symmetric(Eigen::MatrixXd A, Eigen::MatrixXd M);

/// Solves A x = s x for a general A. The eigenvectors have unit length; those of a conjugate pair are conjugate.
struct GeneralEigen {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
};
GeneralEigen solve_unsymmetric(Eigen::MatrixXd A);

/// An orthonormal basis Z of an invariant subspace, A Z = Z T, that belongs to the chosen eigenvalues.
struct LeadingSchur {
  Eigen::MatrixXd Z, T;
};
/// `choose` marks the wanted eigenvalues among those it is given, which are in the order of the Schur form. Both
/// members of a conjugate pair are taken if either is marked.
LeadingSchur leading_schur(Eigen::MatrixXd A, const std::function<std::vector<bool>(const Eigen::VectorXcd&)>& choose);

/// The singular value decomposition A = U diag(values) Vᵀ; the values descend.
struct SingularValues {
  Eigen::MatrixXd U;  ///< m × m
  Eigen::VectorXd values;
  Eigen::MatrixXd V;  ///< n × n
};
SingularValues decompose(Eigen::MatrixXd A);
/// Returns the singular values in descending order.
Eigen::VectorXd singular_values(Eigen::MatrixXd A);

}  // namespace stillpoint
