#include "equilibrium/bordered_analysis.h"

#include "algebra/sparse/same_pattern.h"

namespace stillpoint {

BorderedAnalysis::BorderedAnalysis(const SparseMatrix& K, const SparseMatrix& J)
    : K_(K), J_(J), bordered_(K, J), lu_(bordered_.matrix()) {}

bool BorderedAnalysis::serves(const SparseMatrix& K, const SparseMatrix& J) const {
  return have_same_pattern(K, K_) && have_same_pattern(J, J_);
}

SymmetricFactor& BorderedAnalysis::symmetric() {
  if (!symmetric_) symmetric_ = std::make_unique<SymmetricFactor>(bordered_.matrix());
  return *symmetric_;
}

}  // namespace stillpoint
