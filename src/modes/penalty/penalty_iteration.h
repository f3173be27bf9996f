// Two-sided inverse subspace iteration for the penalty problem, a nonlinear eigenvalue problem.
//
//   z ← T(σ)⁻¹ T'(σ) z,   y ← T(σ)⁻ᴴ T'(σ)ᴴ y,   yᴴ T(s) z = 0                                                (11.13)
//
// Between the steps the small problem Yᴴ (T(σ) + (s − σ) T'(σ)) Z v = 0 separates vectors of eigenvalues close
// together.
//
// Without damping a mode of its own needs no complex factors: residual inverse iteration [Neumaier 1985] with the real
// matrix A of the rigid mechanism beside s,
//
//   z ← z − A⁻¹ T(s) z,   zᵀ T(s) z = 0
//
// contracts by the part of A by which T differs, which is small where the penalty is stiff, theory (11.13).
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "modes/penalty/penalty_problem.h"

namespace stillpoint {

struct PenaltyPair {
  std::complex<double> s;
  double residual = std::numeric_limits<double>::infinity();
  Eigen::VectorXcd right, left;  ///< scaled: coordinates and multipliers
};

class PenaltyIteration {
 public:
  explicit PenaltyIteration(const PenaltyProblem& problem) : problem_(problem) {}

  /// Returns a pair for each column, each found from one of the given values. A pair that is not found has an infinite
  /// or a large residual.
  std::vector<PenaltyPair> continue_from(const std::vector<std::complex<double>>& from, Eigen::MatrixXcd right,
                                         Eigen::MatrixXcd left);

 private:
  std::vector<PenaltyPair> iterate(std::complex<double> sigma, Eigen::MatrixXcd right, Eigen::MatrixXcd left);
  std::optional<PenaltyPair> beside_rigid(std::complex<double> from, Eigen::VectorXcd force) const;
  void improve(PenaltyPair& pair, std::complex<double> s, const Eigen::MatrixXcd& right, const Eigen::MatrixXcd& left);
  bool factor_beside(std::complex<double> s);
  void solve(Eigen::MatrixXcd& right, Eigen::MatrixXcd& left) const;
  void rotate(Eigen::MatrixXcd& right, Eigen::MatrixXcd& left) const;
  PenaltyPair pair_of(const Eigen::VectorXcd& right, const Eigen::VectorXcd& left) const;

  const PenaltyProblem& problem_;
  std::optional<ComplexLu> lu_;
  ComplexSparseMatrix T_;
  std::complex<double> sigma_;  ///< shift of T
};

}  // namespace stillpoint
