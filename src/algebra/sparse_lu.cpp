#include "algebra/sparse_lu.h"

#include <klu.h>

#include <limits>
#include <new>

namespace stillpoint {

namespace {

// Below this ratio of the smallest to the largest pivot no digit of a solution can be trusted.
constexpr double singular = 1e-14;

// Kept pivots may be this much worse than new ones before they are chosen again.
constexpr double worn_out = 1e-3;

constexpr int most_refinements = 3;
constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();

}  // namespace

struct SparseLu::Klu {
  klu_common common;
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
  double first_growth = 0;  // reciprocal pivot growth when the pivots were chosen

  Klu() { klu_defaults(&common); }
  ~Klu() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }
  Klu(const Klu&) = delete;
  Klu& operator=(const Klu&) = delete;
};

// KLU's interface takes its arguments as non-const pointers and changes none of these.
SparseLu::SparseLu(const SparseMatrix& pattern) : klu_(std::make_unique<Klu>()) {
  klu_->symbolic = klu_analyze(static_cast<int>(pattern.cols()), const_cast<int*>(pattern.outerIndexPtr()),
                               const_cast<int*>(pattern.innerIndexPtr()), &klu_->common);
  if (!klu_->symbolic && klu_->common.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
}

SparseLu::~SparseLu() = default;

bool SparseLu::factor_with_new_pivots() {
  auto* const columns = const_cast<int*>(matrix_->outerIndexPtr());
  auto* const rows = const_cast<int*>(matrix_->innerIndexPtr());
  auto* const values = const_cast<double*>(matrix_->valuePtr());
  klu_free_numeric(&klu_->numeric, &klu_->common);
  klu_->numeric = klu_factor(columns, rows, values, klu_->symbolic, &klu_->common);
  if (klu_->common.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
  if (!klu_->numeric || klu_->common.status != KLU_OK) {
    klu_free_numeric(&klu_->numeric, &klu_->common);
    return false;
  }
  klu_rgrowth(columns, rows, values, klu_->symbolic, klu_->numeric, &klu_->common);
  klu_->first_growth = klu_->common.rgrowth;
  klu_rcond(klu_->symbolic, klu_->numeric, &klu_->common);
  return klu_->common.rcond > singular;
}

bool SparseLu::factor(const SparseMatrix& A) {
  matrix_ = &A;
  if (A.cols() == 0) return true;
  if (!klu_->symbolic) return false;  // structurally singular
  ++factorisations_;
  if (!klu_->numeric) return factor_with_new_pivots();
  auto* const columns = const_cast<int*>(A.outerIndexPtr());
  auto* const rows = const_cast<int*>(A.innerIndexPtr());
  auto* const values = const_cast<double*>(A.valuePtr());
  const bool done = klu_refactor(columns, rows, values, klu_->symbolic, klu_->numeric, &klu_->common) == 1 &&
                    klu_->common.status == KLU_OK;
  if (!done) return factor_with_new_pivots();
  klu_rgrowth(columns, rows, values, klu_->symbolic, klu_->numeric, &klu_->common);
  const bool good = klu_->common.rgrowth > worn_out * klu_->first_growth;
  klu_rcond(klu_->symbolic, klu_->numeric, &klu_->common);
  return (good && klu_->common.rcond > singular) || factor_with_new_pivots();
}

Eigen::VectorXd SparseLu::solve(const Eigen::VectorXd& b) {
  Eigen::VectorXd x = b;
  if (b.size() == 0) return x;
  const auto n = static_cast<int>(b.size());
  klu_solve(klu_->symbolic, klu_->numeric, n, 1, x.data(), &klu_->common);
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_refinements; ++k) {
    Eigen::VectorXd residual = b - *matrix_ * x;
    const double size = residual.lpNorm<Eigen::Infinity>();
    const double scale = x.lpNorm<Eigen::Infinity>() + b.lpNorm<Eigen::Infinity>();
    if (!(size > rounding * scale) || size > 0.5 * before) break;
    before = size;
    klu_solve(klu_->symbolic, klu_->numeric, n, 1, residual.data(), &klu_->common);
    x += residual;
  }
  return x;
}

}  // namespace stillpoint
