#include "algebra/complex_lu.h"

#include <klu.h>

#include <limits>
#include <new>

namespace stillpoint {

namespace {

// Below this ratio of the smallest to the largest pivot no digit of a solution can be trusted.
constexpr double singular = 1e-15;

// Kept pivots may be this much worse than new ones before they are chosen again.
constexpr double worn_out = 1e-3;

constexpr int most_refinements = 3;
constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();

// KLU's interface takes its arguments as non-const pointers and changes none of these; a complex number is two doubles.
struct Arrays {
  int *columns, *rows;
  double* values;

  explicit Arrays(const ComplexMatrix& A)
      : columns(const_cast<int*>(A.outerIndexPtr())),
        rows(const_cast<int*>(A.innerIndexPtr())),
        values(reinterpret_cast<double*>(const_cast<std::complex<double>*>(A.valuePtr()))) {}
};

double largest_row_sum(const ComplexMatrix& A) {
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(A.cols());
  const SparseMatrix sizes = A.cwiseAbs();
  return A.cols() > 0 ? (sizes * ones).maxCoeff() : 0;
}

}  // namespace

struct ComplexLu::Klu {
  klu_common common;
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
  double first_growth = 0;  // reciprocal pivot growth when the pivots were chosen

  Klu() { klu_defaults(&common); }
  ~Klu() {
    klu_z_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }
  Klu(const Klu&) = delete;
  Klu& operator=(const Klu&) = delete;

  double growth(const Arrays& A) {
    klu_z_rgrowth(A.columns, A.rows, A.values, symbolic, numeric, &common);
    return common.rgrowth;
  }
  double condition() {
    klu_z_rcond(symbolic, numeric, &common);
    return common.rcond;
  }
};

ComplexLu::ComplexLu(const ComplexMatrix& pattern) : klu_(std::make_unique<Klu>()) {
  const Arrays A(pattern);
  klu_->symbolic = klu_analyze(static_cast<int>(pattern.cols()), A.columns, A.rows, &klu_->common);
  if (!klu_->symbolic && klu_->common.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
}

ComplexLu::~ComplexLu() = default;

bool ComplexLu::factor_with_new_pivots() {
  const Arrays A(*matrix_);
  klu_z_free_numeric(&klu_->numeric, &klu_->common);
  klu_->numeric = klu_z_factor(A.columns, A.rows, A.values, klu_->symbolic, &klu_->common);
  if (klu_->common.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
  if (!klu_->numeric || klu_->common.status != KLU_OK) {
    klu_z_free_numeric(&klu_->numeric, &klu_->common);
    return false;
  }
  klu_->first_growth = klu_->growth(A);
  return klu_->condition() > singular;
}

bool ComplexLu::factor(const ComplexMatrix& A) {
  matrix_ = &A;
  norm_ = largest_row_sum(A);
  if (A.cols() == 0) return true;
  if (!klu_->symbolic) return false;  // structurally singular
  if (!klu_->numeric) return factor_with_new_pivots();
  const Arrays arrays(A);
  const bool done =
      klu_z_refactor(arrays.columns, arrays.rows, arrays.values, klu_->symbolic, klu_->numeric, &klu_->common) == 1 &&
      klu_->common.status == KLU_OK;
  if (done && klu_->growth(arrays) > worn_out * klu_->first_growth && klu_->condition() > singular) return true;
  return factor_with_new_pivots();
}

ComplexLu::Solution ComplexLu::solve(const Eigen::MatrixXcd& b) {
  Solution solution{b, 0};
  if (b.size() == 0) return solution;
  const auto n = static_cast<int>(b.rows());
  const auto solve_in_place = [&](Eigen::VectorXcd& x) {
    klu_z_solve(klu_->symbolic, klu_->numeric, n, 1, reinterpret_cast<double*>(x.data()), &klu_->common);
  };
  for (Eigen::Index j = 0; j < b.cols(); ++j) {
    Eigen::VectorXcd x = b.col(j);
    solve_in_place(x);
    double before = std::numeric_limits<double>::infinity();
    for (int k = 0;; ++k) {
      Eigen::VectorXcd residual = b.col(j) - *matrix_ * x;
      const double size = residual.lpNorm<Eigen::Infinity>();
      const double scale = norm_ * x.lpNorm<Eigen::Infinity>() + b.col(j).lpNorm<Eigen::Infinity>();
      const bool is_done = !(size > rounding * scale) || size > 0.5 * before || k == most_refinements;
      if (is_done) solution.backward_error = std::max(solution.backward_error, scale > 0 ? size / scale : 0);
      if (is_done) break;
      before = size;
      solve_in_place(residual);
      x += residual;
    }
    solution.x.col(j) = x;
  }
  return solution;
}

}  // namespace stillpoint
