// Vectors of an eigenvalue of the bordered problem, made better by solving with its matrix (T17a).
//
//   B(s) = [s²M + sC + K, Jᵀ; J, 0]:    x ← B(s)⁻¹ [(2sM + C) x; 0],   y ← B(s)⁻ᴴ [(2sM + C)ᴴ y; 0]
//
// What x has of other eigenvectors falls by the ratio of the distances of s from its own and from their eigenvalues.
#pragma once

#include "algebra/sparse_lu.h"
#include "modes/bordered_problem.h"

namespace stillpoint {

class InverseIteration {
 public:
  explicit InverseIteration(const BorderedProblem& problem) : problem_(problem) {}

  /// One step; multipliers are found with the coordinates. False, with x and y as they were, if B(s) is singular to
  /// working precision.
  bool improve(std::complex<double> s, BorderedVector& x, BorderedVector& y);

 private:
  /// [Re B, −Im B; Im B, Re B] or its transpose, and what factors it. The patterns are the same for all s.
  struct Side {
    SparseMatrix matrix;
    std::unique_ptr<SparseLu> lu;
    bool factor();
    Eigen::VectorXcd solve(const Eigen::VectorXcd& b);
  };

  const BorderedProblem& problem_;
  Side right_, left_;
};

}  // namespace stillpoint
