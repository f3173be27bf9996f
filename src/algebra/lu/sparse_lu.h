// Sparse LU factorisation of a real matrix (KLU) with iterative refinement [Skeel 1980]; the pattern is analysed once,
// and the values may change.
//
//   P (R⁻¹ A) Q = L U + F      (klu_factors.h)
//
// Policy: pivots are kept as long as their reciprocal growth is at least a thousandth of that at their choice, and in
// parts also as long as it leaves half of the digits, which a refinement makes all; pivot ratios below 1e-14 count as
// singular, since no digit of a solution could be trusted. (ComplexLu is the complex counterpart, for matrices near an
// eigenvalue.)
#pragma once

#include <memory>

#include "stillpoint/sparse.h"

namespace stillpoint {

class SparseLu {
 public:
  /// How often matrices are factored, and solved with.
  enum class Use {
    seldom,  ///< as much memory as KLU takes
    often    ///< the pattern is symmetric: if it is long, it is worked at in parts, at the same time (parted_lu.h)
  };

  /// Orders and analyses a square pattern. Of a bordered matrix the number of multipliers, the last unknowns, must be
  /// given, for their diagonal entries are no pivots. Throws std::bad_alloc if the memory is exhausted.
  explicit SparseLu(const SparseMatrix& pattern, Index multipliers = 0);
  SparseLu(const SparseMatrix& pattern, Use use);
  ~SparseLu();
  SparseLu(const SparseLu&) = delete;
  SparseLu& operator=(const SparseLu&) = delete;

  /// Factors a matrix with the analysed pattern; A must outlive the factorisation. Returns false if A is singular to
  /// working precision; solve() must not be called then.
  bool factor(const SparseMatrix& A);
  bool factor(SparseMatrix&& A) = delete;

  /// Gives back the memory of the factors; the next factorisation chooses its pivots anew.
  void forget_factors();

  /// Returns x with A x = b, refined until the residual is at the level of rounding or no longer halves.
  Eigen::VectorXd solve(const Eigen::VectorXd& b);

  /// The same without refinement.
  Eigen::VectorXd solve_once(const Eigen::VectorXd& b);
  /// The same for each column of b. Several take less time together.
  Eigen::MatrixXd solve_columns(Eigen::MatrixXd b);

  int factorisations() const { return factorisations_; }

 private:
  class Factors;
  class ByKlu;
  class InParts;

  bool factor_with_new_pivots();

  std::unique_ptr<Factors> factors_;
  double first_growth_ = 0;  ///< reciprocal pivot growth when the pivots were chosen
  const SparseMatrix* matrix_ = nullptr;
  int factorisations_ = 0;
};

}  // namespace stillpoint
