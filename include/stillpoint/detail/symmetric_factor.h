// Sparse multifrontal LDLᵀ factorisation of symmetric indefinite matrices, such as [[K, Jᵀ], [J, 0]], with threshold
// pivoting [Duff & Reid 1983]: solutions of linear systems, and the inertia.
//
//   P S A S Pᵀ = L D Lᵀ + E      A: n × n;  P: permutation;  S: diagonal, powers of two [Ruiz 2001];
//                                L: unit lower triangular;  D: blocks of order 1 and 2;  E: rounding errors
//
// The scaling S equilibrates the rows. By Sylvester's law of inertia it preserves the signs of the eigenvalues, so the
// inertia of D is that of A up to rounding. Every pivot must be at least a tenth of the entries that it divides; a
// pivot that is not is delayed to a later front. Hence nothing is assumed of the values, such as a definite K.
//
// Units may be mixed. Time and memory grow with the number of entries of L, linearly for chains and trees of bodies.
#pragma once

#include <Eigen/Core>
#include <memory>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// The inertia of a matrix: the numbers of its positive, negative and zero eigenvalues.
struct SignCount {
  Index positive = 0, negative = 0, zero = 0;
};

class SymmetricFactor {
 public:
  /// Finds the elimination order and the structure of L; values are not read. The matrix must be square and compressed,
  /// with both triangles stored. Throws std::invalid_argument if the pattern is not symmetric.
  explicit SymmetricFactor(const SparseMatrix& pattern);
  ~SymmetricFactor();
  SymmetricFactor(SymmetricFactor&& other) noexcept;
  SymmetricFactor& operator=(SymmetricFactor&& other) noexcept;

  /// Factors A, of which only the lower triangle is read. It may be called any number of times. Throws
  /// std::invalid_argument if the pattern is not the analysed one, and Undecided if an entry is not finite; the
  /// previous factors then remain. Throws Undecided if numbers overflow during the elimination, which scaling and
  /// pivoting should prevent.
  void factor(const SparseMatrix& A);

  // The following functions refer to the matrix factored last; they throw std::logic_error if there is none.

  /// The inertia of A. It is exact for a matrix A + E with ‖S E S‖₂ ≤ backward_error() ‖S A S‖₂. A pivot counts as zero
  /// if its whole column is no larger than the rounding errors made in computing it.
  SignCount signs() const;

  /// Returns an upper estimate of that relative error: the 2-norm of |L| |D| |L|ᵀ times a few rounding units, plus the
  /// entries set to zero. It takes two or three times as long as a solution.
  double backward_error() const;

  /// Returns the smallest magnitude of an eigenvalue of the blocks of D, relative to the largest entry of S A S: 0 if a
  /// pivot counts as zero, NaN if there is no pivot.
  double smallest_pivot() const;

  /// Whether all eigenvalues are so far from zero that an error of that size cannot have changed their signs. It takes
  /// a few additional solutions, because the pivots do not tell: they may be a hundred thousand times as large as the
  /// smallest eigenvalue.
  bool has_clear_signs() const;

  /// Returns x with A x = b, backward stable for the scaled matrix. After one step of iterative refinement, x +=
  /// solve(b − A x), the residual of each row is small in its own units as well. An unknown whose pivot counts as zero
  /// is set to 0, and its equation need not hold. Throws std::invalid_argument if b has another size than A.
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;

  /// Solves for each column of B, with the same accuracy, and several times as fast for many columns. The solutions
  /// take the memory of B.
  Eigen::MatrixXd solve_columns(Eigen::MatrixXd B) const;

  /// The number of entries of L, its unit diagonal included.
  std::int64_t entries() const;

  /// The number of times that a pivot was delayed to a later front, which shows how well the order suits the values.
  std::int64_t delays() const;

 private:
  struct Analysis;
  struct Numbers;
  const Numbers& numbers() const;

  std::unique_ptr<const Analysis> analysis_;
  std::unique_ptr<Numbers> numbers_;
};

}  // namespace stillpoint
