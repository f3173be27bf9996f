// Factors, signs and solutions of sparse symmetric matrices that need not be definite, such as [[K, Jᵀ], [J, 0]].
//
//   P S A S Pᵀ = L D Lᵀ + E      P: order of elimination, S: powers of two, L: unit lower triangle,
//                                D: blocks of size 1 and 2, E: rounding
//
// S A S has rows of about the same largest entry; a congruence changes no sign of an eigenvalue (Sylvester), so the
// signs of D are those of A up to rounding. Every pivot must be at least a tenth of what it divides; one that is not
// waits for the fronts further up (Duff & Reid 1983). Hence no assumption on the values, such as definite K.
//
// Units: any, and mixed ones. Time and memory grow with the entries of L: linearly for chains and trees of bodies.
#pragma once

#include <Eigen/Core>
#include <memory>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// How many eigenvalues there are of each sign.
struct SignCount {
  Index positive = 0, negative = 0, zero = 0;
};

class SymmetricFactor {
 public:
  /// Finds the order of elimination and the places of all entries; numbers are not read. The matrix is square and
  /// compressed, both triangles are stored. Throws std::invalid_argument for a pattern that is not symmetric.
  explicit SymmetricFactor(const SparseMatrix& pattern);
  ~SymmetricFactor();
  SymmetricFactor(SymmetricFactor&& other) noexcept;
  SymmetricFactor& operator=(SymmetricFactor&& other) noexcept;

  /// Factors A, of which the lower triangle is read. May be called again and again.
  /// Throws std::invalid_argument for numbers that are not finite or for another pattern; then what was there before
  /// stays. Throws std::range_error if numbers overflow on the way, which scaling and pivoting should prevent.
  void factor(const SparseMatrix& A);

  // What follows is for the matrix last factored; std::logic_error if there is none.

  /// Of the eigenvalues of A. They are exact for a matrix A + E with ‖S E S‖₂ ≤ backward_error() ‖S A S‖₂. A pivot
  /// counts as zero when its whole column is no larger than the rounding errors that were made on the way to it.
  SignCount signs() const;

  /// Estimate from above of that relative error: the 2-norm of |L| |D| |L|ᵀ times a few rounding units, and what was
  /// set to zero. Takes two or three times as long as a solution.
  double backward_error() const;

  /// The smallest eigenvalue in magnitude of all blocks of D, relative to the largest entry of S A S. 0 if a pivot
  /// counts as zero; NaN if there is no pivot.
  double smallest_pivot() const;

  /// Whether all eigenvalues are so far from zero that no error of that size can have given them their signs. Takes a
  /// few solutions besides: pivots do not tell, they may be a hundred thousand times as large as the smallest
  /// eigenvalue.
  bool has_clear_signs() const;

  /// x with A x = b, backward stable for the scaled matrix. After one step of refinement, x += solve(b − A x), the
  /// residual of each row is small in its own units, too. Where a pivot counts as zero its unknown is 0, and its
  /// equation need not hold. Throws std::invalid_argument if b has another size than A.
  Eigen::VectorXd solve(const Eigen::VectorXd& b) const;

  /// The same for each column, to the same precision; several times as fast for many of them.
  Eigen::MatrixXd solve_columns(const Eigen::MatrixXd& B) const;

  /// Of L, the ones on its diagonal included.
  std::int64_t entries() const;

  /// How often a pivot had to wait for the next front: evidence on how well the order fits the numbers.
  std::int64_t delays() const;

 private:
  struct Analysis;
  struct Numbers;
  const Numbers& numbers() const;

  std::unique_ptr<const Analysis> analysis_;
  std::unique_ptr<Numbers> numbers_;
};

}  // namespace stillpoint
