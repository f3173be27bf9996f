// Errors of eigenvalues that are caused by those of their vectors, a second-order bound.
//
//   |δs_i| ≲ Σ_j min(√g_ij, 16 g_ij / |s_j − s_i|)                                                            (6.7)
//   g_ij = |y_iᴴ P(s_i) x_j| |y_jᴴ P(s_i) x_i| / (|y_iᴴ P'(s_i) x_i| |y_jᴴ P'(s_j) x_j|)
//
// The two-sided quotient of pair i is wrong by the product of the components of both its vectors along those of pair j.
// That is negligible unless many eigenvalues are nearly defective, or so slow that rounding mixes them with rigid-body
// motions z, for which yᴴP(s_i)z, s² m + s c, is the last factor times |s_j − s_i|.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "modes/problem/bordered_problem.h"

namespace stillpoint {

/// Chosen values, and for each value the chosen one that it is, or is the conjugate of.
struct ConjugatePairs {
  std::vector<std::size_t> chosen, of;
};
/// Chooses the member above the real axis of each conjugate pair; partners are equal but for rounding.
ConjugatePairs find_conjugates(const std::vector<std::complex<double>>& s);
/// Extends results for the chosen values to all values.
Eigen::VectorXd spread(const Eigen::VectorXd& of_chosen, const ConjugatePairs& conjugates);

/// Whether the values that are not zero lie within four decades. Rounding leaves components of order ε (ω_max/ω)² of
/// other modes in a slow vector, and the square of that in its eigenvalue, which matters beyond.
bool are_near_each_other(const std::vector<std::complex<double>>& s);

/// Pairs of P(s) in columns, one of each conjugate pair; the contribution of the other is added.
struct QuotientVectors {
  std::vector<std::complex<double>> s{};
  Eigen::MatrixXcd X{}, Y{};
  Eigen::MatrixXcd right{}, left{};  ///< P(s) x and P(s)ᴴ y
  /// What rounding leaves in each entry of `right` and `left`. May be empty: nothing.
  Eigen::MatrixXd right_rounding{}, left_rounding{};
  Eigen::VectorXd derivatives{};  ///< |yᴴ P'(s) x|; zero: no bound is computed
  /// yᴴMx and yᴴCx of each pair: of one with s = 0 they resist other s. May be empty.
  Eigen::VectorXcd mass{}, damping{};
  bool are_orthogonal = false;  ///< vectors of a conservative system, each its own left one: none can be defective
};
Eigen::VectorXd errors_of_vectors(const QuotientVectors& pairs);

struct BorderedPair {
  std::complex<double> s;
  const BorderedVector *x = nullptr, *y = nullptr;
};
/// Bounds the errors of all pairs, with or without their conjugates.
Eigen::VectorXd errors_of_vectors(const BorderedProblem& problem, const std::vector<BorderedPair>& pairs);

}  // namespace stillpoint
