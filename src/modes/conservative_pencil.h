// The bordered problem of a conservative system as one symmetric pencil, in numbers near one:
//
//   [K, Jᵀ; J, 0] z = μ [M, 0; 0, 0] z,   z = (x, λ),   s² = −γ² μ                                            (T29)
//
// Of the eigenvalues of [K − σM, Jᵀ; J, 0] as many are negative as there are μ < σ, and one for each row of J
// (T30) - if M is positive semidefinite and K positive where M is zero; differences of two such counts need no
// assumption on K.
#pragma once

#include "modes/bordered_problem.h"
#include "stillpoint/symmetric_factor.h"

namespace stillpoint {

class ConservativePencil {
 public:
  explicit ConservativePencil(const BorderedProblem& problem);

  const SparseMatrix& mass() const { return mass_; }
  Index size() const { return static_cast<Index>(mass_.rows()); }
  /// Of directions that can move, massless ones among them.
  Index freedom() const { return coordinates_ - rows_; }
  bool has_strains() const { return stresses_ > 0; }
  /// γ̂ (rad/s), and x, λ of z without scales.
  double frequency_scale() const { return frequency_scale_; }
  BorderedVector unscaled(const Eigen::VectorXd& z) const;

  /// Factors the matrix shifted by σ. False if it is singular to working precision.
  bool shift(double sigma);
  double at() const { return shift_; }
  /// How many μ lie below the shift, up to a constant.
  Index below() const { return factor_.signs().negative - rows_ - stresses_; }
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const { return factor_.solve(b); }
  Eigen::MatrixXd solve_columns(const Eigen::MatrixXd& B) const { return factor_.solve_columns(B); }
  Eigen::VectorXd solve_refined(const Eigen::VectorXd& b) const;

  /// The nearest z with J x = 0, as (K − σM) measures it, of each column.
  Eigen::MatrixXd project(const Eigen::MatrixXd& z) const;

 private:
  const BorderedProblem& problem_;
  Index coordinates_, rows_, stresses_;
  double softness_;  ///< δ
  double frequency_scale_, shift_ = 0;
  SparseMatrix stiffness_, mass_in_pattern_, mass_, shifted_;
  SymmetricFactor factor_;
};

}  // namespace stillpoint
