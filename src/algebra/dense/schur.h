// Real Schur form of a dense matrix, and operations on it, by LAPACK (dgees, dtrexc, dtrsyl, dgebal).
//
//   A = Q T Qᵀ      Q orthogonal, T block upper triangular: order 1 for real eigenvalues, order 2 for pairs
//
// Each function throws Undecided if an entry is not finite; schur_form() also if the QR iteration does not converge.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <optional>
#include <vector>

namespace stillpoint {

struct SchurForm {
  Eigen::MatrixXd Q, T;

  Eigen::Index order() const { return T.rows(); }
  /// The order of the diagonal block that starts in this row: 2 for a conjugate pair, otherwise 1.
  Eigen::Index block_size(Eigen::Index row) const { return row + 1 < order() && T(row + 1, row) != 0 ? 2 : 1; }
  /// The eigenvalue of the block that starts in this row; for a conjugate pair, the one with Im s > 0.
  std::complex<double> value(Eigen::Index row) const;
};

SchurForm schur_form(Eigen::MatrixXd A);

/// Moves the diagonal block that starts in row `from` up to row `to` by orthogonal similarity [Bai & Demmel 1993].
/// Returns false if two blocks are too close to be exchanged; `form` is then still a Schur form of A.
bool move_block(SchurForm& form, Eigen::Index from, Eigen::Index to);

/// Solves the Sylvester equation A X − X B = C for A and B in Schur form [Bartels & Stewart 1972]. Returns nothing if A
/// and B have a common eigenvalue, up to rounding.
std::optional<Eigen::MatrixXd> solve_sylvester(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                                               const Eigen::MatrixXd& C);

/// Returns the powers of two d for which corresponding rows and columns of diag(d)⁻¹ A diag(d) have similar norms
/// (balancing, [Parlett & Reinsch 1969]).
Eigen::VectorXd balancing_scales(Eigen::MatrixXd A);

}  // namespace stillpoint
