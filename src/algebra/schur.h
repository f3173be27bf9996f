// Real Schur forms, by LAPACK.
//
//   A = Q T Qᵀ,   Q orthogonal, T block upper triangular: 1 × 1 for a real eigenvalue, 2 × 2 for a pair
//
// Before: numbers are finite. std::runtime_error if an iteration does not converge.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <optional>
#include <vector>

namespace stillpoint {

struct SchurForm {
  Eigen::MatrixXd Q, T;

  Eigen::Index order() const { return T.rows(); }
  /// 2 if a pair starts at this row, else 1.
  Eigen::Index block_size(Eigen::Index row) const { return row + 1 < order() && T(row + 1, row) != 0 ? 2 : 1; }
  /// Of the block that starts at this row; of a pair the one with Im s > 0.
  std::complex<double> value(Eigen::Index row) const;
};

SchurForm schur_form(Eigen::MatrixXd A);

/// Moves the block that starts at row `from` up to row `to`. Where both are too close to be told apart, false, and the
/// form is still one.
bool move_block(SchurForm& form, Eigen::Index from, Eigen::Index to);

/// X with A X − X B = C, A and B of Schur form. Nothing if they have eigenvalues in common, but for rounding.
std::optional<Eigen::MatrixXd> solve_sylvester(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                                               const Eigen::MatrixXd& C);

/// Powers of two d such that rows and columns of diag(d)⁻¹ A diag(d) are of similar size.
Eigen::VectorXd balancing_scales(Eigen::MatrixXd A);

}  // namespace stillpoint
