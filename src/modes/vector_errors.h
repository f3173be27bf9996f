// What errors of vectors leave in eigenvalues.
//
//   |δs_i| ≲ Σ_j min(√g_ij, 16 g_ij / |s_j − s_i|)                                                           (T22a)
//   g_ij = |y_iᴴ P(s_i) x_j| |y_jᴴ P(s_i) x_i| / (|y_iᴴ P'(s_i) x_i| |y_jᴴ P'(s_j) x_j|)
//
// The quotient of both vectors of i is wrong by the product of what each has of those of j. That is nothing to speak
// of, unless many eigenvalues with nearly the same vectors are about to split.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "modes/bordered_problem.h"

namespace stillpoint {

/// Some of the values, and which of them each value is, or is the conjugate of.
struct ConjugatePairs {
  std::vector<std::size_t> chosen, of;
};
/// Of each conjugate pair that above the real axis; partners are equal but for rounding.
ConjugatePairs find_conjugates(const std::vector<std::complex<double>>& s);
/// For all values what is known of those chosen.
Eigen::VectorXd spread(const Eigen::VectorXd& of_chosen, const ConjugatePairs& conjugates);

/// Pairs of P(s) in columns, of conjugates one: what the other adds is added.
struct QuotientVectors {
  std::vector<std::complex<double>> s{};
  Eigen::MatrixXcd X{}, Y{};
  Eigen::MatrixXcd right{}, left{};  ///< P(s) x and P(s)ᴴ y
  Eigen::VectorXd slopes{};          ///< |yᴴ P'(s) x|; zero: nothing is said of this one
};
Eigen::VectorXd errors_of_vectors(const QuotientVectors& pairs);

struct BorderedPair {
  std::complex<double> s;
  const BorderedVector *x = nullptr, *y = nullptr;
};
/// Of all these, conjugates or not.
Eigen::VectorXd errors_of_vectors(const BorderedProblem& problem, const std::vector<BorderedPair>& pairs);

}  // namespace stillpoint
