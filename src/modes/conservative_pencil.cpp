#include "modes/conservative_pencil.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "algebra/symmetry.h"
#include "base/at.h"
#include "stillpoint/modes.h"

namespace stillpoint {

namespace {

using Entries = std::vector<Eigen::Triplet<double, Index>>;

// Of the mean of A and its transpose.
void add_symmetric(const SparseMatrix& A, double factor, Entries& entries) {
  for (Index j = 0; j < A.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      const auto i = static_cast<Index>(entry.row());
      entries.emplace_back(i, j, 0.5 * factor * entry.value());
      entries.emplace_back(j, i, 0.5 * factor * entry.value());
    }
  }
}

void add_border(const SparseMatrix& J, double factor, Entries& entries) {
  const auto n = static_cast<Index>(J.cols());
  for (Index j = 0; j < J.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(J, j); entry; ++entry) {
      entries.emplace_back(n + static_cast<Index>(entry.row()), j, factor * entry.value());
      entries.emplace_back(j, n + static_cast<Index>(entry.row()), factor * entry.value());
    }
  }
}

double power_of_two(double x) { return std::exp2(std::round(std::log2(x))); }

// Of the stiffness that strains have in one step of these numbers, as much as the rest has, or as leaves both of
// D⁻¹ and K some digits.
double softness_of(const Strains& strains) {
  if (strains.empty()) return 1;
  const double least = std::cbrt(std::numeric_limits<double>::epsilon());
  return power_of_two(std::clamp(std::sqrt(largest_entry(strains.rest)), least, 1.0));
}

void add_strains(const Strains& strains, double factor, double softness, Index first, Entries& entries) {
  const Eigen::VectorXd scale = strains.D.cwiseSqrt().unaryExpr(&power_of_two);
  for (Index j = 0; j < strains.B.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(strains.B, j); entry; ++entry) {
      const auto row = static_cast<Index>(entry.row());
      const double value = factor * scale[row] * entry.value();
      entries.emplace_back(first + row, j, value);
      entries.emplace_back(j, first + row, value);
    }
  }
  for (Index i = 0; i < static_cast<Index>(scale.size()); ++i) {
    entries.emplace_back(first + i, first + i, -factor * std::pow(softness * scale[i], 2) / strains.D[i]);
  }
}

// Entries with a factor of zero stay: all these matrices have one pattern.
SparseMatrix assembled(const BorderedProblem& problem, double of_K, double of_M, double of_J, double softness) {
  const Strains& strains = problem.strains();
  const SparseMatrix& K = strains.empty() ? problem.K() : strains.rest;
  const auto without_strains = static_cast<Index>(problem.J().rows() + problem.J().cols());
  Entries entries;
  entries.reserve(2 * at(K.nonZeros() + problem.M().nonZeros() + problem.J().nonZeros() + strains.B.nonZeros()));
  add_symmetric(K, of_K / (softness * softness), entries);
  add_symmetric(problem.M(), of_M, entries);
  add_border(problem.J(), of_J, entries);
  add_strains(strains, of_K, softness, without_strains, entries);
  const auto size = without_strains + static_cast<Index>(strains.D.size());
  for (Index i = 0; i < size; ++i) entries.emplace_back(i, i, 0);
  SparseMatrix A(size, size);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

}  // namespace

bool is_conservative(const LinearSystem& system) {
  return largest_entry(system.C) == 0 && is_symmetric(system.M) && is_symmetric(system.K) && !has_negative(system.M);
}

ConservativePencil::ConservativePencil(const BorderedProblem& problem)
    : problem_(problem),
      coordinates_(static_cast<Index>(problem.J().cols())),
      rows_(static_cast<Index>(problem.J().rows())),
      stresses_(static_cast<Index>(problem.strains().D.size())),
      softness_(softness_of(problem.strains())),
      frequency_scale_(softness_ * problem.frequency_scale()),
      stiffness_(assembled(problem, 1, 0, 1, softness_)),
      mass_in_pattern_(assembled(problem, 0, 1, 0, softness_)),
      mass_(mass_in_pattern_),
      shifted_(stiffness_),
      factor_(stiffness_) {
  mass_.prune(0.0);
}

bool ConservativePencil::shift(double sigma) {
  shift_ = sigma;
  shifted_.coeffs() = stiffness_.coeffs() - sigma * mass_in_pattern_.coeffs();
  factor_.factor(shifted_);
  return factor_.signs().zero == 0;
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

Eigen::MatrixXd ConservativePencil::project(const Eigen::MatrixXd& z) const {
  Eigen::MatrixXd x = z;
  x.bottomRows(size() - coordinates_).setZero();
  Eigen::MatrixXd forces = shifted_ * x;
  forces.middleRows(coordinates_, rows_).setZero();
  return factor_.solve_columns(forces);
}

}  // namespace stillpoint
