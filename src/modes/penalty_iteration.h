// Eigenvalues of the penalty system by inverse iteration with several vectors at once.
//
//   z ← T(σ)⁻¹ T'(σ) z,   y ← T(σ)⁻ᴴ T'(σ)ᴴ y,   yᴴ T(s) z = 0                                                  (T38)
//
// In between Yᴴ (T(σ) + (s − σ) T'(σ)) Z v = 0 tells vectors apart whose eigenvalues lie close together.
#pragma once

#include <limits>
#include <vector>

#include "modes/penalty_problem.h"

namespace stillpoint {

struct PenaltyPair {
  std::complex<double> s;
  double residual = std::numeric_limits<double>::infinity();
  Eigen::VectorXcd right, left;  ///< scaled: coordinates and multipliers
};

class PenaltyIteration {
 public:
  /// `analysed`: for the pattern of the problem.
  PenaltyIteration(const PenaltyProblem& problem, const ComplexLu& analysed)
      : problem_(problem), lu_(analysed.another()) {}

  /// As many pairs as there are columns, each found from one of these values; those that cannot be have no finite
  /// residual, or a large one.
  std::vector<PenaltyPair> follow(const std::vector<std::complex<double>>& from, const Eigen::MatrixXcd& right,
                                  const Eigen::MatrixXcd& left);

 private:
  std::vector<PenaltyPair> iterate(std::complex<double> sigma, Eigen::MatrixXcd right, Eigen::MatrixXcd left);
  void improve(PenaltyPair& pair, std::complex<double> s, const Eigen::MatrixXcd& right, const Eigen::MatrixXcd& left);
  bool factor_beside(std::complex<double> s);
  void solve(Eigen::MatrixXcd& right, Eigen::MatrixXcd& left) const;
  void rotate(Eigen::MatrixXcd& right, Eigen::MatrixXcd& left) const;
  PenaltyPair pair_of(const Eigen::VectorXcd& right, const Eigen::VectorXcd& left) const;

  const PenaltyProblem& problem_;
  ComplexLu lu_;
  ComplexSparseMatrix T_;
  std::complex<double> sigma_;  ///< of T
};

}  // namespace stillpoint
