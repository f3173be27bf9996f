// How many eigenvalues lie in a disc beside those that are known, by the winding of the determinant around its edge.
//
//   g(s) = det B(s) / Π (s − s_k):     #{zeros of g, |s| < ρ} = Δ arg g / 2π                                     (T32)
//
// s_k are the known ones, inside and outside: what is left varies so slowly on the circle that a few values show all of
// it. Nothing is taken for granted in between: log |g| must bend little from each value to the next and the phase must
// go on as it came, or there are more values (phases alone do not see two zeros that hide in a gap: the turn of 2π
// looks like none).
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "modes/quadratic_pencil.h"

namespace stillpoint {

class Winding {
 public:
  /// Of |s| = radius. Real coefficients: the upper half of the circle says it all.
  Winding(const QuadraticPencil& pencil, double radius);

  /// How many more than `known` lie inside; negative, if there are fewer. Nothing if the edge passes too near to an
  /// eigenvalue that is not known. `known`: all that are, both of a conjugate pair.
  std::optional<Index> unknown(const std::vector<std::complex<double>>& known);

  int evaluations() const { return evaluations_; }

 private:
  std::complex<double> log_determinant(std::complex<double> s);
  void refine();

  const QuadraticPencil& pencil_;
  ComplexLu lu_;
  double radius_;
  std::vector<std::complex<double>> values_;  ///< log det B, at equal angles from 0 to π
  std::complex<double> beside_;               ///< at a radius slightly larger, angle 0
  int evaluations_ = 0;
};

}  // namespace stillpoint
