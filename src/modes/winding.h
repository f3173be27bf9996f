// How many eigenvalues lie in a disc beside those that are known, by the winding of the determinant around its edge.
//
//   g(s) = det B(s) / Π (s − s_k):     #{zeros of g, |s − c| < ρ} = Δ arg g / 2π                                 (T32)
//
// s_k are the known ones, inside and outside: what is left varies so slowly on the circle that a few values show most
// of it. Nothing is taken for granted in between: around each step log |g| must bend little on its own scale and the
// phase must go on as it came, or the step is halved (phases alone do not see two zeros that hide in a gap: the turn of
// 2π looks like none).
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "modes/quadratic_pencil.h"

namespace stillpoint {

class Winding {
 public:
  /// Of |s − centre| = radius. Coefficients are real: around a real centre the upper half of the circle says it all.
  /// Steps are no smaller than a part of the `room` around the edge, relative to the radius.
  Winding(const QuadraticPencil& pencil, std::complex<double> centre, double radius, double room = 1);

  /// How many more than `known` lie inside; negative, if there are fewer. Nothing if the edge passes too near to an
  /// eigenvalue that is not known. `known`: all that are; around a real centre both of a conjugate pair.
  std::optional<Index> unknown(const std::vector<std::complex<double>>& known);

  int evaluations() const;

 private:
  /// On the way around, in smallest steps from angle 0 on; beyond its ends a half circle is mirrored, a whole one goes
  /// round.
  using Place = std::int64_t;

  /// A quarter of the circle, from the real diameter to the middle of the half: quarters know nothing of each other and
  /// are walked at once.
  struct Walk {
    Place start;
    int direction;
    int evaluations = 0;
    std::unordered_map<Place, std::complex<double>> values{};  ///< log det B
    std::optional<std::complex<double>> beside{};              ///< of the start, at a radius slightly larger
  };

  std::complex<double> point(Place place, double radius) const;
  std::complex<double> log_determinant(Walk& walk, std::complex<double> s) const;
  std::complex<double> value(Walk& walk, Place place) const;
  std::complex<double> value_beside(Walk& walk) const;
  Place folded(Place place) const;
  /// How far the phase of g turns on the way; nothing, if that cannot be told.
  std::optional<double> turn_along(Walk& walk, const std::vector<std::complex<double>>& known) const;

  const QuadraticPencil& pencil_;
  ComplexLu analysed_;
  std::complex<double> centre_;
  double radius_;
  bool is_half_;
  Place smallest_in_step_;  ///< as long as a step is
  Place end_;               ///< of the way
  std::vector<Walk> walks_;
};

}  // namespace stillpoint
