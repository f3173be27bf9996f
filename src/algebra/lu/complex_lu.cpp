#include "algebra/lu/complex_lu.h"

#include <cmath>
#include <numbers>
#include <vector>

#include "algebra/lu/klu_factors.h"
#include "base/at.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

constexpr double singular = 1e-16;         // ratio of the smallest to the largest pivot
constexpr double nearly_singular = 1e-13;  // the cause may be pivots chosen for another matrix

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

struct ComplexLu::Klu : KluFactors<Complex> {
  using KluFactors::KluFactors;
};

ComplexLu::ComplexLu(const SparseMatrix& pattern, Index multipliers)
    : klu_(std::make_unique<Klu>(pattern, multipliers)) {}

ComplexLu::ComplexLu(std::unique_ptr<Klu> klu) : klu_(std::move(klu)) {}

ComplexLu::~ComplexLu() = default;
ComplexLu::ComplexLu(ComplexLu&&) noexcept = default;

ComplexLu ComplexLu::share_analysis() const { return ComplexLu(std::make_unique<Klu>(klu_->analysis())); }

bool ComplexLu::factor_nearly_singular(const ComplexSparseMatrix& A) { return A.cols() == 0 || klu_->factor(A); }

bool ComplexLu::factor(const ComplexSparseMatrix& A) {
  if (A.cols() == 0) return true;
  return klu_->factor(A) && klu_->pivot_ratio() > singular;
}

bool ComplexLu::refactor(const ComplexSparseMatrix& A) {
  if (!klu_->numeric() || !klu_->refactor(A)) return factor(A);
  return klu_->pivot_ratio() > nearly_singular || factor(A);
}

// det A = ± Π r Π u over the rows of R and the diagonal blocks of U.
Complex ComplexLu::log_determinant() const {
  if (!klu_->numeric()) return 0;  // the matrix has no rows
  const klu_numeric& numeric = *klu_->numeric();
  const auto* const diagonal = static_cast<const Complex*>(numeric.Udiag);
  Complex sum = 0;
  double phase = 0;
  for (int i = 0; i < numeric.n; ++i) {
    sum += std::log(std::abs(diagonal[i])) + (numeric.Rs ? std::log(numeric.Rs[i]) : 0);
    phase = std::remainder(phase + std::arg(diagonal[i]), 2 * std::numbers::pi);
  }
  if (is_odd(numeric.Pnum, numeric.n) != is_odd(klu_->analysis()->Q, numeric.n)) phase += std::numbers::pi;
  return {sum.real(), phase};
}

Eigen::VectorXcd ComplexLu::solve(const Eigen::VectorXcd& b) const {
  Eigen::VectorXcd x = b;
  if (b.size() > 0) klu_->solve(x);
  return x;
}

Eigen::VectorXcd ComplexLu::solve_adjoint(const Eigen::VectorXcd& b) const {
  Eigen::VectorXcd x = b;
  if (b.size() > 0) klu_->solve_adjoint(x);
  return x;
}

}  // namespace stillpoint
