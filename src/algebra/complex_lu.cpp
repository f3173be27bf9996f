#include "algebra/complex_lu.h"

#include <klu.h>

#include <cmath>
#include <new>
#include <numbers>
#include <vector>

#include "base/at.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

constexpr double singular = 1e-16;         // of the smallest pivot to the largest
constexpr double nearly_singular = 1e-13;  // old pivots may be to blame

bool is_odd(const int* permutation, Index size) {
  std::vector<char> is_seen(at(size));
  bool odd = false;
  for (Index start = 0; start < size; ++start) {
    for (Index i = start; !is_seen[at(i)]; i = permutation[i]) {
      is_seen[at(i)] = true;
      if (permutation[i] != start) odd = !odd;
    }
  }
  return odd;
}

}  // namespace

struct ComplexLu::Klu {
  klu_common common;
  std::shared_ptr<klu_symbolic> symbolic;  // only read, once it is made
  klu_numeric* numeric = nullptr;

  Klu() { klu_defaults(&common); }
  ~Klu() { klu_z_free_numeric(&numeric, &common); }
  Klu(const Klu&) = delete;
  Klu& operator=(const Klu&) = delete;
};

ComplexLu::ComplexLu(const SparseMatrix& pattern) : klu_(std::make_unique<Klu>()) {
  klu_symbolic* const symbolic =
      klu_analyze(static_cast<int>(pattern.cols()), const_cast<int*>(pattern.outerIndexPtr()),
                  const_cast<int*>(pattern.innerIndexPtr()), &klu_->common);
  if (!symbolic && klu_->common.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
  klu_->symbolic = {symbolic, [](klu_symbolic* old) {
                      klu_common common;
                      klu_defaults(&common);
                      klu_free_symbolic(&old, &common);
                    }};
}

ComplexLu::ComplexLu(std::unique_ptr<Klu> klu) : klu_(std::move(klu)) {}

ComplexLu::~ComplexLu() = default;
ComplexLu::ComplexLu(ComplexLu&&) noexcept = default;

ComplexLu ComplexLu::another() const {
  auto klu = std::make_unique<Klu>();
  klu->symbolic = klu_->symbolic;
  return ComplexLu(std::move(klu));
}

// KLU's interface takes its arguments as non-const pointers and changes none of these.
bool ComplexLu::factor_nearly_singular(const ComplexSparseMatrix& A) {
  if (A.cols() == 0) return true;
  if (!klu_->symbolic) return false;  // structurally singular
  klu_z_free_numeric(&klu_->numeric, &klu_->common);
  klu_->numeric =
      klu_z_factor(const_cast<int*>(A.outerIndexPtr()), const_cast<int*>(A.innerIndexPtr()),
                   reinterpret_cast<double*>(const_cast<Complex*>(A.valuePtr())), klu_->symbolic.get(), &klu_->common);
  if (klu_->common.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
  return klu_->numeric && klu_->common.status == KLU_OK;
}

bool ComplexLu::factor(const ComplexSparseMatrix& A) {
  if (A.cols() == 0) return true;
  if (!factor_nearly_singular(A)) return false;
  klu_z_rcond(klu_->symbolic.get(), klu_->numeric, &klu_->common);
  return klu_->common.rcond > singular;
}

bool ComplexLu::factor_again(const ComplexSparseMatrix& A) {
  if (!klu_->numeric) return factor(A);
  const int is_done = klu_z_refactor(const_cast<int*>(A.outerIndexPtr()), const_cast<int*>(A.innerIndexPtr()),
                                     reinterpret_cast<double*>(const_cast<Complex*>(A.valuePtr())),
                                     klu_->symbolic.get(), klu_->numeric, &klu_->common);
  if (!is_done || klu_->common.status != KLU_OK) return factor(A);
  klu_z_rcond(klu_->symbolic.get(), klu_->numeric, &klu_->common);
  return klu_->common.rcond > nearly_singular || factor(A);
}

// P (R⁻¹ A) Q = L U block by block, so det A = ± Π r Π u.
Complex ComplexLu::log_determinant() const {
  if (!klu_->numeric) return 0;  // of a matrix without rows
  const klu_numeric& numeric = *klu_->numeric;
  const auto* const diagonal = static_cast<const Complex*>(numeric.Udiag);
  Complex sum = 0;
  double phase = 0;
  for (int i = 0; i < numeric.n; ++i) {
    sum += std::log(std::abs(diagonal[i])) + (numeric.Rs ? std::log(numeric.Rs[i]) : 0);
    phase = std::remainder(phase + std::arg(diagonal[i]), 2 * std::numbers::pi);
  }
  if (is_odd(numeric.Pnum, numeric.n) != is_odd(klu_->symbolic->Q, numeric.n)) phase += std::numbers::pi;
  return {sum.real(), phase};
}

Eigen::VectorXcd ComplexLu::solve(const Eigen::VectorXcd& b) const {
  Eigen::VectorXcd x = b;
  if (b.size() == 0) return x;
  const auto n = static_cast<int>(b.size());
  klu_z_solve(klu_->symbolic.get(), klu_->numeric, n, 1, reinterpret_cast<double*>(x.data()), &klu_->common);
  return x;
}

Eigen::VectorXcd ComplexLu::solve_adjoint(const Eigen::VectorXcd& b) const {
  Eigen::VectorXcd x = b;
  if (b.size() == 0) return x;
  const auto n = static_cast<int>(b.size());
  constexpr int conjugate = 1;
  klu_z_tsolve(klu_->symbolic.get(), klu_->numeric, n, 1, reinterpret_cast<double*>(x.data()), conjugate,
               &klu_->common);
  return x;
}

}  // namespace stillpoint
