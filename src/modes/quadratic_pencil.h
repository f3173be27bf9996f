// The bordered matrix of any system at any s, in numbers near one:
//
//   B(s) = [s² M + s C + K, Jᵀ; J, 0],     det B(s) = c det Zᵀ (s² M + s C + K) Z,   J Z = 0                     (T31)
//
// so it is singular at the eigenvalues of the system and nowhere else.
#pragma once

#include <optional>
#include <type_traits>

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
  /// The same into one that is of this pattern already.
  void put_values(std::complex<double> s, ComplexSparseMatrix& B) const;
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

/// A real matrix factored: by signs where all are symmetric, by LU otherwise.
class RealFactor {
 public:
  explicit RealFactor(const QuadraticPencil& pencil);

  /// False if A is singular to working precision.
  bool factor(const SparseMatrix& A);
  Eigen::VectorXd solve(const Eigen::VectorXd& b);

 private:
  std::optional<SymmetricFactor> symmetric_;
  std::unique_ptr<SparseLu> lu_;
};

/// B(σ) factored, at a shift that is a Scalar: double or std::complex<double>.
template <class Scalar>
class ShiftedQuadratic {
 public:
  using Vector = Eigen::VectorX<Scalar>;

  explicit ShiftedQuadratic(const QuadraticPencil& pencil);

  /// False if the matrix is singular to working precision.
  bool shift(Scalar sigma);
  Scalar at() const { return sigma_; }
  Vector solve(const Vector& b) { return factor_.solve(b); }
  /// Something near x (coordinates only) that the constraints allow.
  Vector project(const Vector& x);

 private:
  const QuadraticPencil& pencil_;
  Scalar sigma_ = 0;
  Eigen::SparseMatrix<Scalar, Eigen::ColMajor, Index> matrix_;
  std::conditional_t<std::is_same_v<Scalar, double>, RealFactor, ComplexLu> factor_;
};

}  // namespace stillpoint
