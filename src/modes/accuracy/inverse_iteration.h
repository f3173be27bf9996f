// Two-sided inverse iteration on the bordered problem, theory (5.4), with Rayleigh quotients.
//
//   B(s) = [s²M + sC + K, Jᵀ; J, 0]:    x ← B(s)⁻¹ [(2sM + C) x; 0],   y ← B(s)⁻ᴴ [(2sM + C)ᴴ y; 0]
//
// Without damping, at real s², x is real and y = x̄, and one real factorisation serves for each step.
//
// Components of x along other eigenvectors decrease by the ratio of the distances of s from its own and from their
// eigenvalues.
#pragma once

#include <optional>
#include <vector>

#include "modes/problem/quadratic_pencil.h"

namespace stillpoint {

struct Refined {
  std::complex<double> s;
  double error = 0;           ///< of rounding, and the change in the last step
  bool is_converged = false;  ///< the change in the last step was rounding only
};

class InverseIteration {
 public:
  explicit InverseIteration(const BorderedProblem& problem)
      : problem_(problem), pencil_(problem), is_undamped_(problem.is_undamped()) {}

  /// Returns the eigenvalue to which s and its vectors converge in a few steps; nothing if no step is possible. May be
  /// called from several threads.
  std::optional<Refined> refine(std::complex<double> s, BorderedVector x, BorderedVector y) const;
  /// Tells whether this many values are worth several threads.
  bool pays_in_parallel(std::size_t values) const;

 private:
  class RealSteps;
  class ComplexSteps;
  template <class Steps>
  std::optional<Refined> refined_by(Steps next, std::complex<double> s) const;

  const BorderedProblem& problem_;
  QuadraticPencil pencil_;
  bool is_undamped_;
};

/// Tells whether a refined value certainly belongs to value `of` and to no other: the iteration converged and moved by
/// less than half the distance to the next value.
bool is_same_root(const Refined& refined, const std::vector<std::complex<double>>& values, std::size_t of);

}  // namespace stillpoint
