// What is known of a bordered matrix by the patterns of K and J alone: where their entries stand in it, and the orders
// of elimination of its factors. It serves all states of a model, and all models with the same patterns.
#pragma once

#include <memory>

#include "algebra/lu/sparse_lu.h"
#include "algebra/sparse/bordered.h"
#include "stillpoint/detail/symmetric_factor.h"

namespace stillpoint {

class BorderedAnalysis {
 public:
  BorderedAnalysis(const SparseMatrix& K, const SparseMatrix& J);

  /// Whether it serves matrices with these patterns.
  bool serves(const SparseMatrix& K, const SparseMatrix& J) const { return bordered_.has_places_for(K, J); }

  BorderedMatrix& bordered() { return bordered_; }
  SparseLu& lu() { return lu_; }
  /// Analysed when it is first needed; the factors of the LU factorisation then make room for it.
  SymmetricFactor& symmetric();

 private:
  BorderedMatrix bordered_;
  SparseLu lu_;
  std::unique_ptr<SymmetricFactor> symmetric_;
};

}  // namespace stillpoint
