// What is known of a bordered matrix by the patterns of K and J alone: where their entries stand in it, and the orders
// of elimination of its factors. It serves all states of a model, and all models with the same patterns.
//
// A symmetric matrix of many unknowns is factored as LDLᵀ, whose factors take half of the memory of L and U; LU factors
// all others. Of few unknowns LU is analysed and factored faster, with the order of KLU, whatever that fills up.
#pragma once

#include <memory>

#include "algebra/lu/sparse_lu.h"
#include "algebra/sparse/bordered.h"
#include "stillpoint/detail/symmetric_factor.h"

namespace stillpoint {

class BorderedAnalysis {
 public:
  BorderedAnalysis(const SparseMatrix& K, const SparseMatrix& J) : bordered_(K, J) {}

  /// Whether it serves matrices with these patterns.
  bool serves(const SparseMatrix& K, const SparseMatrix& J) const { return bordered_.has_places_for(K, J); }

  BorderedMatrix& bordered() { return bordered_; }

  /// Factors the matrix with its present values. False if it is singular to working precision.
  bool factor();
  /// A solution by these factors, refined until the residual is at the level of rounding or no longer halves.
  Eigen::VectorXd solve(const Eigen::VectorXd& b);
  /// Gives back the memory of the factors of LU, where the next matrix is another one.
  void forget_factors() {
    if (lu_) lu_->forget_factors();
  }

  /// Analysed when it is first needed; the factors of the LU factorisation then make room for it.
  SymmetricFactor& symmetric();

 private:
  bool factor_symmetric();
  bool factor_general();

  BorderedMatrix bordered_;
  std::unique_ptr<SparseLu> lu_;                ///< null until it is needed
  std::unique_ptr<SymmetricFactor> symmetric_;  ///< null until it is needed
  bool is_symmetric_ = false;                   ///< the matrix that was factored
};

}  // namespace stillpoint
