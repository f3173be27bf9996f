// Eigenvalue count in a disc around zero under light damping, by Sylvester's law of inertia.
//
// For M ≥ 0, C ≥ 0 and symmetric K there are 2 #{ω < ρ} eigenvalues with |s| < ρ without damping, and inertia counts
// these. Let t C replace C, with t from 0 to 1. If C ≤ β (K + ρ² M), an eigenvalue that crosses |s| = ρ off the real
// axis has a vector x with k = ρ² m and c ≤ c* m, c* = 2βρ². If no ω lies between ρ₁ and ρ₂, ρ₁ < ρ < ρ₂, the parts of
// x at lower and higher frequencies are at most
//
//   |x_L| ≤ ρ c* / (ρ² − ρ₁² − c*²/2) |x|,   |x_H| ≤ ρ √(β c* (ρ₂² + ρ²)) / (ρ₂² − ρ²) |x|                    (11.8)
//
// If the squares of both factors add up to less than 1, there is no such x; with βρ < 1 none crosses on the real axis
// either. The largest such β is found, and one factorisation tells whether C ≤ β (K + ρ² M). Then K + ρ² M ≥ 0, so that
// no eigenvalue with |s| > ρ grows, by theory (11.11).
#pragma once

#include <functional>
#include <optional>

#include "modes/problem/quadratic_pencil.h"

namespace stillpoint {

/// A gap between the magnitudes of two eigenvalues, scaled.
struct Gap {
  double from = 0, to = 0;

  double middle() const { return 0.5 * (from + to); }
};

/// What is known of the number of μ = −s² of the undamped system below a given one; either may be empty.
struct UndampedBelow {
  std::function<std::optional<Index>(double mu)> exactly;  ///< nothing if that is not known
  std::function<Index(double mu)> at_least;
};

/// Returns the number of eigenvalues with |s| below the gap. Returns nothing if the conditions do not hold or if the
/// damping is too large for the width of the gap. Takes up to three factorisations, fewer where `undamped` knows
/// counts.
std::optional<Index> count_weakly_damped(const BorderedProblem& problem, const QuadraticPencil& pencil, const Gap& gap,
                                         const UndampedBelow& undamped = {});

}  // namespace stillpoint
