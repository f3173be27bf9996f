// The bordered matrix of any system at any s, in numbers near one:
//
//   B(s) = [s² M + s C + K, Jᵀ; J, 0],     det B(s) = c det Zᵀ (s² M + s C + K) Z,   J Z = 0                     (T31)
//
// so it is singular at the eigenvalues of the system and nowhere else.
#pragma once

#include <optional>

#include "algebra/complex_lu.h"
#include "algebra/sparse_lu.h"
#include "modes/bordered_problem.h"
#include "stillpoint/symmetric_factor.h"

namespace stillpoint {

class QuadraticPencil {
 public:
  explicit QuadraticPencil(const BorderedProblem& problem);

  Index size() const { return static_cast<Index>(stiffness_.rows()); }
  /// Of directions that can move, massless ones among them.
  Index freedom() const { return size() - 2 * rows_; }
  bool is_symmetric() const { return is_symmetric_; }
  const SparseMatrix& pattern() const { return stiffness_; }
  SparseMatrix matrix(double s) const { return combination(s * s, s, 1); }
  ComplexSparseMatrix matrix(std::complex<double> s) const;
  /// [a M + b C + c K, c Jᵀ; c J, 0]
  SparseMatrix combination(double a, double b, double c) const;
  /// Neither M nor the symmetric part of C has a negative eigenvalue; found once, by two factorisations.
  bool is_passive() const;

 private:
  const BorderedProblem& problem_;
  mutable std::optional<bool> is_passive_;
  Index rows_;
  SparseMatrix stiffness_;         ///< with J
  Eigen::ArrayXd mass_, damping_;  ///< of M and C in the same pattern
  bool is_symmetric_ = false;
};

/// B(σ) factored, at a real shift.
class ShiftedQuadratic {
 public:
  explicit ShiftedQuadratic(const QuadraticPencil& pencil);

  /// False if the matrix is singular to working precision.
  bool shift(double sigma);
  double at() const { return sigma_; }
  Eigen::VectorXd solve(const Eigen::VectorXd& b);
  /// Something near x (coordinates only) that the constraints allow.
  Eigen::VectorXd project(const Eigen::VectorXd& x);

 private:
  const QuadraticPencil& pencil_;
  double sigma_ = 0;
  SparseMatrix matrix_;
  std::optional<SymmetricFactor> symmetric_;
  std::unique_ptr<SparseLu> lu_;
};

}  // namespace stillpoint
