#include "equilibrium/bordered_analysis.h"

namespace stillpoint {

BorderedAnalysis::BorderedAnalysis(const SparseMatrix& K, const SparseMatrix& J)
    : bordered_(K, J), lu_(bordered_.matrix()) {}

SymmetricFactor& BorderedAnalysis::symmetric() {
  if (symmetric_) return *symmetric_;
  lu_.forget_factors();
  symmetric_ = std::make_unique<SymmetricFactor>(bordered_.matrix());
  return *symmetric_;
}

}  // namespace stillpoint
