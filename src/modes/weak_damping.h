// How many eigenvalues of a weakly damped system lie in a disc, from signs alone.
//
// M ≥ 0, C ≥ 0, K symmetric: without damping there are 2 #{ω < ρ} in |s| < ρ, and signs count these. With t C in place
// of C, t from 0 to 1, an eigenvalue that crosses |s| = ρ off the real axis has a vector x with k = ρ² m and c ≤ c* m,
// if C ≤ β (K + ρ² M), c* = 2βρ². If no ω lies between ρ₁ < ρ < ρ₂, its parts of lower and higher frequencies are at
// most
//
//   |x_L| ≤ ρ c* / (ρ² − ρ₁² − c*²/2) |x|,   |x_H| ≤ ρ √(β c* (ρ₂² + ρ²)) / (ρ₂² − ρ²) |x|                     (T34)
//
// and if the squares of both factors add up to less than 1, there is no such x; with βρ < 1 none crosses on the real
// axis either. So the largest such β is found, and a factorisation tells whether C ≤ β (K + ρ² M).
#pragma once

#include <functional>
#include <optional>

#include "modes/quadratic_pencil.h"

namespace stillpoint {

/// A gap between two sizes of eigenvalues, scaled.
struct Gap {
  double from = 0, to = 0;

  double middle() const { return 0.5 * (from + to); }
};

/// How many μ = −s² of the system without damping are less; nothing if that is not known.
using CountBelow = std::function<std::optional<Index>(double mu)>;

/// How many |s| are below the gap. Nothing if the conditions do not hold, or if the damping is too large for so small a
/// gap. Takes up to five factorisations, two less where `undamped` knows.
std::optional<Index> count_weakly_damped(const BorderedProblem& problem, const QuadraticPencil& pencil, const Gap& gap,
                                         const CountBelow& undamped = {});

}  // namespace stillpoint
