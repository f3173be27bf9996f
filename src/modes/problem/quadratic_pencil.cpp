#include "modes/problem/quadratic_pencil.h"

#include <algorithm>

#include "algebra/ldlt/definiteness.h"
#include "algebra/sparse/bordered_pattern.h"
#include "algebra/sparse/symmetry.h"

namespace stillpoint {

namespace {

// Returns [K, Jᵀ; J, 0] in the common pattern of M, C, K and J; entries that are zero stay in the pattern.
SparseMatrix assembled(const BorderedProblem& problem) {
  const ScaledMatrix J = problem.J();
  SparseMatrix A =
      bordered_pattern({&problem.M().unscaled(), &problem.C().unscaled(), &problem.K().unscaled()}, {&J.unscaled()});
  const auto n = static_cast<Index>(J.cols());
  add_part(A, problem.K(), 1);
  add_part(A, J, 1, {.row = n});
  add_transposed_part(A, J, 1, {.column = n});
  return A;
}

/// Returns the entries of A at their places in a pattern that contains those of A.
Eigen::ArrayXd in_pattern(const ScaledMatrix& A, const SparseMatrix& pattern) {
  Eigen::ArrayXd values = Eigen::ArrayXd::Zero(pattern.nonZeros());
  for (Index j = 0; j < A.unscaled().outerSize(); ++j) {
    Index k = pattern.outerIndexPtr()[j];
    for (SparseMatrix::InnerIterator entry(A.unscaled(), j); entry; ++entry) {
      while (pattern.innerIndexPtr()[k] < entry.row()) ++k;
      values[k] = A.row_factor(entry.row()) * entry.value() * A.column_scale(j);
    }
  }
  return values;
}

}  // namespace

QuadraticPencil::QuadraticPencil(const BorderedProblem& problem, std::optional<bool> passive)
    : problem_(problem),
      is_passive_(passive),
      rows_(static_cast<Index>(problem.J().rows())),
      is_symmetric_(problem.is_symmetric()) {}

const QuadraticPencil::Parts& QuadraticPencil::parts() const {
  std::call_once(parts_->once, [this] {
    parts_->stiffness = assembled(problem_);
    parts_->mass = in_pattern(problem_.M(), parts_->stiffness);
    if (largest_entry(problem_.C().unscaled()) > 0) parts_->damping = in_pattern(problem_.C(), parts_->stiffness);
  });
  return *parts_;
}

ComplexLu QuadraticPencil::complex_lu() const {
  std::call_once(parts_->once_analysed, [this] { parts_->analysed.emplace(pattern(), rows_); });
  return parts_->analysed->share_analysis();
}

SparseMatrix QuadraticPencil::combination(double a, double b, double c) const {
  const Parts& of = parts();
  SparseMatrix B = of.stiffness;
  if (of.damping.size() > 0) B.coeffs() = a * of.mass + b * of.damping + c * of.stiffness.coeffs();
  else B.coeffs() = a * of.mass + c * of.stiffness.coeffs();
  return B;
}

bool QuadraticPencil::is_passive() const {
  if (!is_passive_) is_passive_ = !has_negative_eigenvalue(problem_.M().copy()) && is_dissipative(problem_.C().copy());
  return *is_passive_;
}

ComplexSparseMatrix QuadraticPencil::matrix(std::complex<double> s) const {
  ComplexSparseMatrix B(size(), size());
  const SparseMatrix& pattern = parts().stiffness;
  B.resizeNonZeros(pattern.nonZeros());
  std::copy_n(pattern.outerIndexPtr(), size() + 1, B.outerIndexPtr());
  std::copy_n(pattern.innerIndexPtr(), pattern.nonZeros(), B.innerIndexPtr());
  put_values(s, B);
  return B;
}

void QuadraticPencil::put_values(std::complex<double> s, ComplexSparseMatrix& B) const {
  using Complex = std::complex<double>;
  const Parts& of = parts();
  const auto mass = (s * s) * of.mass.cast<Complex>();
  const auto stiffness = of.stiffness.coeffs().cast<Complex>();
  if (of.damping.size() > 0) B.coeffs() = mass + s * of.damping.cast<Complex>() + stiffness;
  else B.coeffs() = mass + stiffness;
}

RealFactor::RealFactor(const QuadraticPencil& pencil) {
  if (pencil.is_symmetric()) symmetric_.emplace(pencil.pattern());
  else lu_ = std::make_unique<SparseLu>(pencil.pattern(), pencil.multipliers());
}

bool RealFactor::factor(const SparseMatrix& A) {
  if (lu_) return lu_->factor(A);
  symmetric_->factor(A);
  return symmetric_->signs().zero == 0;
}

Eigen::VectorXd RealFactor::solve(const Eigen::VectorXd& b) {
  return symmetric_ ? symmetric_->solve(b) : lu_->solve(b);
}

namespace {

RealFactor factor_for(const QuadraticPencil& pencil, double) { return RealFactor(pencil); }
ComplexLu factor_for(const QuadraticPencil& pencil, std::complex<double>) { return pencil.complex_lu(); }

}  // namespace

template <class Scalar>
ShiftedQuadratic<Scalar>::ShiftedQuadratic(const QuadraticPencil& pencil)
    : pencil_(pencil), factor_(factor_for(pencil, Scalar())) {}

template <class Scalar>
bool ShiftedQuadratic<Scalar>::shift(Scalar sigma) {
  sigma_ = sigma;
  matrix_ = pencil_.matrix(sigma);
  return factor_.factor(matrix_);
}

// The solution [x'; λ] has the same forces on the coordinates as x, and J x' = 0.
template <class Scalar>
auto ShiftedQuadratic<Scalar>::project(const Vector& x) -> Vector {
  Vector both = Vector::Zero(pencil_.size());
  both.head(x.size()) = x;
  Vector forces = matrix_ * both;
  forces.tail(forces.size() - x.size()).setZero();
  return solve(forces).head(x.size());
}

template class ShiftedQuadratic<double>;
template class ShiftedQuadratic<std::complex<double>>;

}  // namespace stillpoint
