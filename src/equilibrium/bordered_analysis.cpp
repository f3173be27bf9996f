#include "equilibrium/bordered_analysis.h"

#include "algebra/sparse/refinement.h"
#include "algebra/sparse/symmetry.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

constexpr Index many = 1000;  // unknowns

}  // namespace

bool BorderedAnalysis::factor() {
  const SparseMatrix& A = bordered_.matrix();
  is_symmetric_ = A.cols() >= many && is_symmetric(A);
  return is_symmetric_ ? factor_symmetric() : factor_general();
}

bool BorderedAnalysis::factor_symmetric() {
  try {
    symmetric().factor(bordered_.matrix());
  } catch (const Undecided&) {  // an entry is not finite, or numbers overflow
    return false;
  }
  return symmetric_->smallest_pivot() > singular_pivot_ratio;
}

bool BorderedAnalysis::factor_general() {
  const SparseMatrix& A = bordered_.matrix();
  if (!lu_) lu_ = std::make_unique<SparseLu>(A, A.cols() >= many ? bordered_.multipliers() : 0);
  return lu_->factor(A);
}

Eigen::VectorXd BorderedAnalysis::solve(const Eigen::VectorXd& b) {
  if (!is_symmetric_) return lu_->solve(b);
  return refined_solution(bordered_.matrix(), b, [this](const Eigen::VectorXd& x) { return symmetric_->solve(x); });
}

SymmetricFactor& BorderedAnalysis::symmetric() {
  forget_factors();
  if (!symmetric_) symmetric_ = std::make_unique<SymmetricFactor>(bordered_.matrix());
  return *symmetric_;
}

}  // namespace stillpoint
