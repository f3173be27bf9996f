#include "modes/conservative_pencil.h"

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

// Entries with a factor of zero stay: all these matrices have one pattern.
SparseMatrix assembled(const BorderedProblem& problem, double of_K, double of_M, double of_J) {
  Entries entries;
  entries.reserve(2 * at(problem.K().nonZeros() + problem.M().nonZeros() + problem.J().nonZeros()));
  add_symmetric(problem.K(), of_K, entries);
  add_symmetric(problem.M(), of_M, entries);
  add_border(problem.J(), of_J, entries);
  const auto size = static_cast<Index>(problem.J().rows() + problem.J().cols());
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
    : rows_(static_cast<Index>(problem.J().rows())),
      stiffness_(assembled(problem, 1, 0, 1)),
      mass_in_pattern_(assembled(problem, 0, 1, 0)),
      mass_(mass_in_pattern_),
      shifted_(stiffness_),
      factor_(stiffness_) {
  mass_.prune(0.0);
}

bool ConservativePencil::shift(double sigma) {
  shifted_.coeffs() = stiffness_.coeffs() - sigma * mass_in_pattern_.coeffs();
  factor_.factor(shifted_);
  return factor_.signs().zero == 0;
}

Eigen::VectorXd ConservativePencil::solve_refined(const Eigen::VectorXd& b) const {
  Eigen::VectorXd z = solve(b);
  z += solve(b - shifted_ * z);
  return z;
}

Eigen::VectorXd ConservativePencil::project(const Eigen::VectorXd& z) const {
  Eigen::VectorXd x = z;
  x.tail(rows_).setZero();
  Eigen::VectorXd forces = shifted_ * x;
  forces.tail(rows_).setZero();
  return factor_.solve(forces);
}

}  // namespace stillpoint
