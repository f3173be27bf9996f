// The bordered matrix of a system at one frequency after the other, of which the parts stay of one size:
//
//   D [ s²M + sC + K   Jᵀ ] D      s = iω,   D = diag(1/ρ, ρ),  ρ ≈ max(1, |s|), a power of two
//     [      J         0  ]
//
// In numbers without units, with the independent rows of J. Its numbers change with ω, its pattern does not.
#pragma once

#include "modes/quadratic_pencil.h"

namespace stillpoint {

class BorderedSystem {
 public:
  /// `pencil` is of this problem.
  BorderedSystem(const BorderedProblem& problem, const QuadraticPencil& pencil);

  const SparseMatrix& pattern() const { return pencil_.pattern(); }

  /// Valid until the next call, and so is what stands below.
  const ComplexSparseMatrix& at(double omega);

  /// Forces (n × columns) and prescribed positions (r × columns) as a right-hand side.
  Eigen::MatrixXcd right_side(const Eigen::MatrixXcd& forces, const Eigen::MatrixXcd& positions) const;
  /// Of a solution.
  Eigen::MatrixXcd coordinates(const Eigen::MatrixXcd& x) const;
  Eigen::MatrixXcd multipliers(const Eigen::MatrixXcd& x) const;

 private:
  const BorderedProblem& problem_;
  const QuadraticPencil& pencil_;
  Index n_;
  ComplexSparseMatrix matrix_;
  double rho_ = 1;
};

}  // namespace stillpoint
