// Chains whose springs, dampers and masses differ by many decades, with exact references for their eigenvalues.
//
//   M diagonal, C and K tridiagonal:   det(s²M + sC + K) by the three-term recurrence of its leading minors, in
//   hundreds
//                                      of digits; the matrices count as exact
//
// Without damping Sturm's theorem [Parlett 1980] counts the eigenvalues of K − μM below any μ by the signs of these
// minors. All roots are found at once by the method of Aberth, with the discs that must hold them.
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "stillpoint/linear_system.h"
#include "support/seeded.h"

namespace stillpoint::testing {

struct GradedChain {
  Eigen::VectorXd mass;                                  ///< on the diagonal
  Eigen::VectorXd stiffness, damping;                    ///< diagonals
  Eigen::VectorXd coupling_stiffness, coupling_damping;  ///< beside the diagonals
  bool is_damped() const { return damping.cwiseAbs().sum() > 0; }
  Index size() const { return static_cast<Index>(mass.size()); }
};

/// 2 … 24 masses in a row, some springs and dampers to the ground, each of stiffness, mass and damping over 0 … 18
/// decades. Some have no damper, no spring to the ground, or a spring that pushes.
GradedChain random_chain(Random& random);

LinearSystem system_of(const GradedChain& chain);

/// How many eigenvalues of K + shift · |diagonal of K| − μM are negative; nothing if two numbers of digits disagree.
std::optional<Index> count_below(const GradedChain& chain, double mu, double shift = 0);

/// A root with the radius of a disc around it, in which the exact one lies.
struct ExactRoot {
  std::complex<long double> s;
  long double radius = 0;
};
/// All 2n roots, from first guesses of some of them; nothing if the discs around them are not tiny.
std::optional<std::vector<ExactRoot>> exact_roots(const GradedChain& chain,
                                                  const std::vector<std::complex<double>>& guesses);

}  // namespace stillpoint::testing
