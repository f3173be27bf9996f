// The bordered matrix of a system at a sequence of frequencies, scaled so that its blocks stay of similar magnitude:
//
//   D [ s²M + sC + K   Jᵀ ] D      s = iω,   D = diag(1/ρ, ρ),  ρ ≈ max(1, |s|), a power of two
//     [      J         0  ]
//
// It is dimensionless and contains the independent rows of J. Its values change with ω; its pattern does not.
#pragma once

#include "modes/problem/quadratic_pencil.h"

namespace stillpoint {

class BorderedSystem {
 public:
  /// `pencil` is the pencil of this problem. Both must outlive the object.
  BorderedSystem(const BorderedProblem& problem, const QuadraticPencil& pencil);

  /// Returns the matrix at ω. It is valid until the next call, and the functions below refer to the same ω.
  const ComplexSparseMatrix& at(double omega);

  /// Returns the right-hand side for forces (n × columns) and prescribed positions (r × columns).
  Eigen::MatrixXcd right_side(const Eigen::MatrixXcd& forces, const Eigen::MatrixXcd& positions) const;
  /// These return the coordinates and the multipliers of a solution x.
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
