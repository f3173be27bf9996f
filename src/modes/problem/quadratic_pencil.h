// The quadratic matrix pencil of a system, bordered by its constraints, at a real or complex s.
//
//   B(s) = [s² M + s C + K, Jᵀ; J, 0],     det B(s) = c det Zᵀ (s² M + s C + K) Z,   J Z = 0                    (11.6)
//
// The matrix is scaled so that all blocks are near one. It is singular at the eigenvalues of the system and nowhere
// else, so a method that works on it meets no spurious eigenvalue.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>

#include "algebra/lu/complex_lu.h"
#include "algebra/lu/sparse_lu.h"
#include "modes/problem/bordered_problem.h"
#include "stillpoint/detail/symmetric_factor.h"

namespace stillpoint {

class QuadraticPencil {
 public:
  /// `passive`: what is_passive returns, where that is known.
  explicit QuadraticPencil(const BorderedProblem& problem, std::optional<bool> passive = {});

  Index size() const { return static_cast<Index>(problem_.J().cols()) + rows_; }
  Index multipliers() const { return rows_; }
  /// Returns the number of directions that the constraints allow, massless directions included.
  Index dof() const { return size() - 2 * rows_; }
  bool is_symmetric() const { return is_symmetric_; }
  const SparseMatrix& pattern() const { return parts().stiffness; }
  /// Returns an object for factors of the matrix at complex s. All share one analysis, made when first needed, which
  /// may be on several threads.
  ComplexLu complex_lu() const;
  SparseMatrix matrix(double s) const { return combination(s * s, s, 1); }
  ComplexSparseMatrix matrix(std::complex<double> s) const;
  /// Writes B(s) into a matrix that already has the pattern of the pencil.
  void put_values(std::complex<double> s, ComplexSparseMatrix& B) const;
  /// Returns [a M + b C + c K, c Jᵀ; c J, 0].
  SparseMatrix combination(double a, double b, double c) const;
  /// Tells whether neither M nor the symmetric part of C has a negative eigenvalue. Two factorisations decide it, once,
  /// unless it is known.
  bool is_passive() const;

 private:
  struct Parts {
    SparseMatrix stiffness;        ///< [K, Jᵀ; J, 0]
    Eigen::ArrayXd mass, damping;  ///< entries of M and C in its pattern; none if C = 0
    std::optional<ComplexLu> analysed;
    std::once_flag once, once_analysed;
  };
  /// Made when a matrix is first needed, which may be on several threads.
  const Parts& parts() const;

  const BorderedProblem& problem_;
  mutable std::optional<bool> is_passive_;
  Index rows_;
  bool is_symmetric_ = false;
  std::shared_ptr<Parts> parts_ = std::make_shared<Parts>();
};

/// Factorisation of a real matrix of the pencil: LDLᵀ if M, C and K are symmetric, LU otherwise.
class RealFactor {
 public:
  explicit RealFactor(const QuadraticPencil& pencil);

  /// Returns false if A is singular to working precision.
  bool factor(const SparseMatrix& A);
  bool factor(SparseMatrix&& A) = delete;  // A must outlive the factorisation
  Eigen::VectorXd solve(const Eigen::VectorXd& b);

 private:
  std::optional<SymmetricFactor> symmetric_;
  std::unique_ptr<SparseLu> lu_;
};

/// Factorisation of B(σ) at a shift σ of type Scalar, which is double or std::complex<double>.
template <class Scalar>
class ShiftedQuadratic {
 public:
  using Vector = Eigen::VectorX<Scalar>;

  explicit ShiftedQuadratic(const QuadraticPencil& pencil);

  /// Returns false if the matrix is singular to working precision.
  bool shift(Scalar sigma);
  Scalar at() const { return sigma_; }
  Vector solve(const Vector& b) { return factor_.solve(b); }
  /// Projects x (coordinates only) onto the motions that the constraints allow.
  Vector project(const Vector& x);

 private:
  const QuadraticPencil& pencil_;
  Scalar sigma_ = 0;
  std::conditional_t<std::is_same_v<Scalar, double>, SparseMatrix, ComplexSparseMatrix> matrix_;
  std::conditional_t<std::is_same_v<Scalar, double>, RealFactor, ComplexLu> factor_;
};

}  // namespace stillpoint
