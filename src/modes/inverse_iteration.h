// Vectors of an eigenvalue of the bordered problem, made better by solving with its matrix (T17a).
//
//   B(s) = [s²M + sC + K, Jᵀ; J, 0]:    x ← B(s)⁻¹ [(2sM + C) x; 0],   y ← B(s)⁻ᴴ [(2sM + C)ᴴ y; 0]
//
// What x has of other eigenvectors falls by the ratio of the distances of s from its own and from their eigenvalues.
#pragma once

#include <optional>
#include <vector>

#include "modes/quadratic_pencil.h"

namespace stillpoint {

struct Refined {
  std::complex<double> s;
  double error = 0;         ///< of rounding, and what the last step still changed
  bool is_settled = false;  ///< which was no more than rounding
};

class InverseIteration {
 public:
  explicit InverseIteration(const BorderedProblem& problem)
      : problem_(problem), pencil_(problem), analysed_(pencil_.pattern()) {}

  /// The eigenvalue that s and its vectors lead to, in a few steps. Nothing if no step is possible. Several threads may
  /// ask at once.
  std::optional<Refined> refine(std::complex<double> s, BorderedVector x, BorderedVector y) const;
  /// Whether several threads pay for so many values.
  bool is_much_work(std::size_t values) const;

 private:
  struct Step;

  const BorderedProblem& problem_;
  QuadraticPencil pencil_;
  ComplexLu analysed_;
};

/// Whether what one of these values was refined to is certainly not another of them: the iteration settled, and went
/// less than half the way to the next.
bool is_same_root(const Refined& refined, const std::vector<std::complex<double>>& values, std::size_t of);

}  // namespace stillpoint
