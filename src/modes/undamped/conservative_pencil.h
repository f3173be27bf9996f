// The bordered problem of a conservative system as one symmetric matrix pencil, scaled so that all blocks are near one:
//
//   [K, Jᵀ; J, 0] z = μ [M, 0; 0, 0] z,   z = (x, λ),   s² = −γ² μ                                           (11.1)
//
// The matrix [K − σM, Jᵀ; J, 0] has as many negative eigenvalues as there are μ < σ, and one more for each row of J,
// theory (11.2), if M is positive semidefinite and K is positive where M is zero. The difference of two such counts
// needs no assumption on K. Where the stiffness is factored as K = K₀ + BᵀDB, the stresses stay unknowns, theory
// (11.5), and each adds one negative eigenvalue [Haynsworth 1968].
#pragma once

#include <optional>
#include <utility>

#include "modes/problem/bordered_problem.h"
#include "stillpoint/detail/symmetric_factor.h"

namespace stillpoint {

class ConservativePencil {
 public:
  explicit ConservativePencil(const BorderedProblem& problem);

  const SparseMatrix& mass() const { return mass_; }
  Index size() const { return static_cast<Index>(mass_.rows()); }
  /// Returns the number of directions that the constraints allow, massless directions included.
  Index dof() const { return coordinates_ - rows_; }
  bool has_strains() const { return stresses_ > 0; }
  /// Scale of frequencies γ (rad/s), and x and λ of z without scaling.
  double frequency_scale() const { return frequency_scale_; }
  BorderedVector unscaled(const Eigen::VectorXd& z) const;

  /// Factors the matrix shifted by σ. Returns false if it is singular to working precision.
  bool shift(double sigma);
  double at() const { return shift_; }
  /// Lets the memory of the factors and of their analysis go; the next shift makes both again.
  void free_factors() { factor_.reset(); }
  /// Returns the number of μ below the shift, up to a constant.
  Index below() const { return factor_->signs().negative - rows_ - stresses_; }
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const { return factor_->solve(b); }
  Eigen::MatrixXd solve_columns(Eigen::MatrixXd B) const { return factor_->solve_columns(std::move(B)); }
  Eigen::VectorXd solve_refined(const Eigen::VectorXd& b) const;

  /// Projects each column onto J x = 0, orthogonally with respect to K − σM.
  Eigen::MatrixXd project(Eigen::MatrixXd z) const;

 private:
  const BorderedProblem& problem_;
  Index coordinates_, rows_, stresses_;
  double softness_;  ///< δ of theory (11.5)
  double frequency_scale_, shift_ = 0;
  SparseMatrix mass_, shifted_;
  std::optional<SymmetricFactor> factor_;
};

}  // namespace stillpoint
