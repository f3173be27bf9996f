// Eigenvalue count in a disc by the argument principle, with step control on the phase of the determinant.
//
//   g(s) = det B(s) / Π (s − s_k):     #{zeros of g, |s − c| < ρ} = Δ arg g / 2π                                (11.7)
//
// The known eigenvalues s_k, inside and outside the disc, are divided out, so g varies slowly on the circle and a few
// values resolve it. No step is accepted on the phase alone, as two zeros between two values can change it by 2π
// unseen: around each step log |g| must have a small second difference and the phase must advance as predicted, or the
// step is halved.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/stopwatch.h"
#include "modes/problem/quadratic_pencil.h"
#include "modes/supervision.h"

namespace stillpoint {

/// log det at a point, up to multiples of 2πi and a constant; NaN where it cannot be found. Several threads call it at
/// a time.
using LogDeterminant = std::function<std::complex<double>(std::complex<double> s)>;

/// By a factorisation of the pencil for each point. The pencil must outlive the function.
LogDeterminant log_determinant_of(const QuadraticPencil& pencil);

class ArgumentCount {
 public:
  /// Counts in the disc |s − centre| < radius. The coefficients are real, so around a real centre the upper half of the
  /// circle suffices. `room` is the distance, relative to the radius, between the eigenvalues next to the edge; it
  /// limits how far steps are halved.
  ArgumentCount(LogDeterminant log_determinant, std::complex<double> centre, double radius, double room = 1,
                const Supervision& supervision = {});
  ArgumentCount(const QuadraticPencil& pencil, std::complex<double> centre, double radius, double room = 1)
      : ArgumentCount(log_determinant_of(pencil), centre, radius, room) {}

  /// Returns the number of eigenvalues inside beyond those in `known`; it is negative if there are fewer. Returns
  /// nothing if the edge passes too near to an unknown eigenvalue, or if the time is over. Around a real centre `known`
  /// contains both members of each pair.
  std::optional<Index> unknown(const std::vector<std::complex<double>>& known);

  int evaluations() const;

 private:
  /// Position on the circle in units of the smallest step, from angle 0. Beyond its ends a half circle continues by
  /// symmetry, a full circle periodically.
  using Place = std::int64_t;

  /// Traversal of one quarter of the circle, from the real diameter to the middle of the half. The quarters are
  /// independent and run in parallel.
  struct Walk {
    Place start;
    int direction;
    int evaluations = 0;
    double passed = 0;                                         ///< part of the quarter
    std::unordered_map<Place, std::complex<double>> values{};  ///< log det B
    std::optional<std::complex<double>> outside{};             ///< value at the start, at a slightly larger radius
  };

  std::complex<double> point(Place place, double radius) const;
  std::complex<double> log_determinant(Walk& walk, std::complex<double> s) const;
  std::complex<double> value(Walk& walk, Place place) const;
  std::complex<double> value_outside(Walk& walk) const;
  Place folded(Place place) const;
  /// Returns the change of the phase of g along the quarter; nothing if it cannot be determined.
  std::optional<double> turn_along(Walk& walk, const std::vector<std::complex<double>>& known) const;

  /// Tells which part of the edge has been passed, and how long the rest will take at this rate.
  void report(Walk& walk, double passed) const;

  LogDeterminant determinant_;
  std::complex<double> centre_;
  double radius_;
  bool is_half_;
  Place smallest_in_step_;  ///< smallest steps in a regular step
  Place end_;               ///< position of the end
  std::vector<Walk> walks_;
  Supervision supervision_;
  Stopwatch watch_;
  mutable std::mutex reporting_;
};

}  // namespace stillpoint
