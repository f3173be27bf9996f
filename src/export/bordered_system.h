// The bordered matrix of a system at one frequency after the other.
//
//   [ (s²M + sC + K)/β   Jᵀ ]
//   [        J           0  ]     s = iω, β = max(1, |s|²), in numbers without units
//
// Its numbers change with ω, its pattern does not. The independent rows of J only.
#pragma once

#include <vector>

#include "algebra/complex_lu.h"
#include "modes/bordered_problem.h"

namespace stillpoint {

class BorderedSystem {
 public:
  explicit BorderedSystem(const BorderedProblem& problem);

  SparseMatrix pattern() const { return matrix_.cwiseAbs(); }

  /// Valid until the next call, and so is what stands below.
  const ComplexSparseMatrix& at(double omega);

  /// Forces (n × columns) and prescribed positions (r × columns) as a right-hand side.
  Eigen::MatrixXcd right_side(const Eigen::MatrixXcd& forces, const Eigen::MatrixXcd& positions) const;
  /// Of a solution.
  Eigen::MatrixXcd coordinates(const Eigen::MatrixXcd& x) const;
  Eigen::MatrixXcd multipliers(const Eigen::MatrixXcd& x) const;

 private:
  std::vector<Index> places_of(const SparseMatrix& A, Index first, bool is_transposed) const;
  void add(const SparseMatrix& A, const std::vector<Index>& places, std::complex<double> factor);

  const BorderedProblem& problem_;
  Index n_;
  ComplexSparseMatrix matrix_;
  std::vector<Index> M_, C_, K_, J_, Jt_;  ///< where each of their entries is in the matrix
  double beta_ = 1;
};

}  // namespace stillpoint
