#include "modes/undamped/conservative_pencil.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "algebra/ldlt/definiteness.h"
#include "algebra/sparse/bordered_pattern.h"
#include "algebra/sparse/symmetry.h"
#include "base/power_of_two.h"
#include "stillpoint/modes.h"

namespace stillpoint {

namespace {

// Adds the mean of A and its transpose.
template <class Matrix>
void add_symmetric(SparseMatrix& to, const Matrix& A, double factor) {
  add_part(to, A, 0.5 * factor);
  add_transposed_part(to, A, 0.5 * factor);
}

template <class Matrix>
void add_border(SparseMatrix& to, const Matrix& B, Index first) {
  add_part(to, B, 1, {.row = first});
  add_transposed_part(to, B, 1, {.column = first});
}

// Returns δ of theory (11.5), a power of two: in these numbers the factored stiffness is as large as the rest, but both
// D⁻¹ and K keep some digits.
double softness_of(const Strains& strains) {
  if (strains.empty()) return 1;
  const double least = std::cbrt(std::numeric_limits<double>::epsilon());
  return nearest_power_of_two(std::clamp(std::sqrt(largest_entry(strains.rest)), least, 1.0));
}

void add_strains(SparseMatrix& to, const Strains& strains, double softness, Index first) {
  const Eigen::VectorXd scale = strains.D.cwiseSqrt().unaryExpr(&nearest_power_of_two);
  add_border(to, SparseMatrix(scale.asDiagonal() * strains.B), first);
  const auto size = static_cast<Index>(scale.size());
  SparseMatrix compliance(size, size);
  compliance.setIdentity();
  for (Index i = 0; i < size; ++i) compliance.valuePtr()[i] = -std::pow(softness * scale[i], 2) / strains.D[i];
  add_part(to, compliance, 1, {first, first});
}

/// Returns the common pattern of all matrices of the pencil, filled with zeros.
SparseMatrix pattern_of(const BorderedProblem& problem) {
  const Strains& strains = problem.strains();
  const SparseMatrix &J = problem.J().unscaled(), &M = problem.M().unscaled(), &K = problem.K().unscaled();
  if (strains.empty()) return bordered_pattern({&K, &M}, {&J});
  return bordered_pattern({&strains.rest, &M}, {&J, &strains.B});
}

/// Writes the stiffness into a matrix with that pattern.
void put_stiffness(SparseMatrix& A, const BorderedProblem& problem, double softness) {
  A.coeffs().setZero();
  const Strains& strains = problem.strains();
  if (strains.empty()) add_symmetric(A, problem.K(), 1 / (softness * softness));
  else add_symmetric(A, strains.rest, 1 / (softness * softness));
  const auto n = static_cast<Index>(problem.J().cols()), r = static_cast<Index>(problem.J().rows());
  add_border(A, problem.J(), n);
  if (!strains.empty()) add_strains(A, strains, softness, n + r);
}

/// Returns the mass matrix of all unknowns without the entries that are zero, in no more memory than it needs.
SparseMatrix mass_of(const BorderedProblem& problem, SparseMatrix pattern) {
  pattern.coeffs().setZero();
  add_symmetric(pattern, problem.M(), 1);
  pattern.prune(0.0);
  return SparseMatrix(pattern);
}

}  // namespace

bool is_conservative(const LinearSystem& system) {
  return largest_entry(system.C) == 0 && is_symmetric(system.M) && is_symmetric(system.K) &&
         !has_negative_eigenvalue(system.M);
}

ConservativePencil::ConservativePencil(const BorderedProblem& problem)
    : problem_(problem),
      coordinates_(static_cast<Index>(problem.J().cols())),
      rows_(static_cast<Index>(problem.J().rows())),
      stresses_(static_cast<Index>(problem.strains().D.size())),
      softness_(softness_of(problem.strains())),
      frequency_scale_(softness_ * problem.frequency_scale()),
      shifted_(pattern_of(problem)) {
  mass_ = mass_of(problem, shifted_);
}

bool ConservativePencil::shift(double sigma) {
  shift_ = sigma;
  put_stiffness(shifted_, problem_, softness_);
  add_part(shifted_, mass_, -sigma);
  if (!factor_) factor_.emplace(shifted_);
  factor_->factor(shifted_);
  return factor_->signs().zero == 0;
}

Eigen::VectorXd ConservativePencil::solve_refined(const Eigen::VectorXd& b) const {
  Eigen::VectorXd z = solve(b);
  z += solve(b - shifted_ * z);
  return z;
}

BorderedVector ConservativePencil::unscaled(const Eigen::VectorXd& z) const {
  BorderedVector both = problem_.unscaled(z.head(coordinates_ + rows_).cast<std::complex<double>>());
  both.multipliers *= softness_ * softness_;
  return both;
}

Eigen::MatrixXd ConservativePencil::project(Eigen::MatrixXd z) const {
  z.bottomRows(size() - coordinates_).setZero();
  Eigen::MatrixXd forces = shifted_ * z;
  z.resize(0, 0);
  forces.middleRows(coordinates_, rows_).setZero();
  return factor_->solve_columns(std::move(forces));
}

}  // namespace stillpoint
