// Eigenvalues and singular values of dense matrices, by LAPACK.
// Before: sizes agree and all numbers are finite. std::runtime_error if an iteration does not converge.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <functional>
#include <optional>
#include <vector>

namespace stillpoint {

/// β A x = α E x,   β yᴴ A = α yᴴ E, by the QZ algorithm; s = α/β, infinite where β = 0.
struct PencilEigen {
  Eigen::VectorXcd alpha;
  Eigen::VectorXd beta;          ///< not negative
  Eigen::MatrixXcd right, left;  ///< x, y, the largest entry about 1

  Eigen::Index size() const { return alpha.size(); }
  /// Where β is no more than rounding of what it was found from.
  bool is_infinite(Eigen::Index i) const;
  std::complex<double> value(Eigen::Index i) const { return alpha[i] / beta[i]; }
};

PencilEigen solve_pencil(Eigen::MatrixXd A, Eigen::MatrixXd E);

struct SymmetricEigen {
  Eigen::VectorXd values;   ///< ascending
  Eigen::MatrixXd vectors;  ///< orthonormal; in the product with M if there is one
};

/// A x = μ x; of A the lower triangle counts.
SymmetricEigen solve_symmetric(Eigen::MatrixXd A);
/// Its values only, ascending.
Eigen::VectorXd symmetric_values(Eigen::MatrixXd A);
/// A x = μ M x; nothing if M is not positive definite.
std::optional<SymmetricEigen> solve_symmetric(Eigen::MatrixXd A, Eigen::MatrixXd M);

/// A x = s x; vectors of length one, of a conjugate pair conjugate.
struct GeneralEigen {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
};
GeneralEigen solve_general(Eigen::MatrixXd A);

/// A Z = Z T, Z orthonormal, for the eigenvalues that are asked for: an invariant subspace.
struct LeadingSchur {
  Eigen::MatrixXd Z, T;
};
/// `choose`: which of these values, in the order that Schur's form has by itself; of a conjugate pair both come along.
LeadingSchur leading_schur(Eigen::MatrixXd A, const std::function<std::vector<bool>(const Eigen::VectorXcd&)>& choose);

/// A = U diag(values) Vᵀ, values descending.
struct SingularValues {
  Eigen::MatrixXd U;  ///< square: all vectors
  Eigen::VectorXd values;
  Eigen::MatrixXd V;  ///< square
};
SingularValues decompose(Eigen::MatrixXd A);
/// Its values only, descending.
Eigen::VectorXd singular_values(Eigen::MatrixXd A);

}  // namespace stillpoint
