#include "algebra/lu/sparse_lu.h"

#include <limits>

#include "algebra/lu/klu_factors.h"

namespace stillpoint {

namespace {

// Below this ratio of the smallest to the largest pivot no digit of a solution can be trusted.
constexpr double singular = 1e-14;

// Kept pivots may have a reciprocal growth smaller by this factor before new ones are chosen.
constexpr double worn_out = 1e-3;

constexpr int most_refinements = 3;
constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();

}  // namespace

struct SparseLu::Klu : KluFactors<double> {
  using KluFactors::KluFactors;
  double first_growth = 0;  // reciprocal pivot growth when the pivots were chosen
};

SparseLu::SparseLu(const SparseMatrix& pattern) : klu_(std::make_unique<Klu>(pattern)) {}

SparseLu::~SparseLu() = default;

bool SparseLu::factor_with_new_pivots() {
  if (!klu_->factor(*matrix_)) return false;
  klu_->first_growth = klu_->reciprocal_growth(*matrix_);
  return klu_->pivot_ratio() > singular;
}

bool SparseLu::factor(const SparseMatrix& A) {
  matrix_ = &A;
  if (A.cols() == 0) return true;
  if (!klu_->analysis()) return false;  // structurally singular
  ++factorisations_;
  if (!klu_->numeric() || !klu_->refactor(A)) return factor_with_new_pivots();
  const bool good = klu_->reciprocal_growth(A) > worn_out * klu_->first_growth;
  return (good && klu_->pivot_ratio() > singular) || factor_with_new_pivots();
}

void SparseLu::forget_factors() {
  klu_->forget_factors();
  matrix_ = nullptr;
}

Eigen::VectorXd SparseLu::solve_once(const Eigen::VectorXd& b) {
  Eigen::VectorXd x = b;
  if (b.size() > 0) klu_->solve(x);
  return x;
}

Eigen::VectorXd SparseLu::solve(const Eigen::VectorXd& b) {
  Eigen::VectorXd x = solve_once(b);
  if (b.size() == 0) return x;
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_refinements; ++k) {
    Eigen::VectorXd residual = b - *matrix_ * x;
    const double size = residual.lpNorm<Eigen::Infinity>();
    const double scale = x.lpNorm<Eigen::Infinity>() + b.lpNorm<Eigen::Infinity>();
    if (!(size > rounding * scale) || size > 0.5 * before) break;
    before = size;
    klu_->solve(residual);
    x += residual;
  }
  return x;
}

}  // namespace stillpoint
