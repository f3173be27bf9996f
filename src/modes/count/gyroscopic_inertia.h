// Eigenvalue count in a disc around zero for gyroscopic systems, by Sylvester's law of inertia.
//
// Let M ≥ 0 and K be symmetric, G skew-symmetric, and H(ω) = K − ω² M + iω G, which is Hermitian and is the pencil at
// s = iω. For a vector x let m = xᴴMx, k = xᴴKx, g = xᴴ(iG)x. If K + ρ² M > 0, then on the motions that the constraints
// allow
//
//   #{|s| < ρ} = 2 #{negative eigenvalues of H(ρ)}                                                             (11.14)
//
// unless an eigenvalue lies on the edge. Proof. Off the imaginary axis: m s² − i g s + k = 0 with real m, g, k has
// roots that are not imaginary only as a pair s, −s̄ with |s|² = −k/m, and k > −ρ² m, so these lie inside. On the axis:
// where an eigenvalue h of H(ω) is zero, k − ω² m + ω g = 0, so dh/dω = g − 2ωm = −(ω² m + k)/ω for |x| = 1, which is
// negative for ω ≥ ρ. From ρ on, each eigenvalue of H crosses zero downwards only, and once for each s = iω of the
// pencil. For large ω the negative eigenvalues of H are rank M, and half the rank of G on the directions without mass,
// since K is positive in those that neither reaches: half the number of all finite eigenvalues. So half of those with
// |s| > ρ are the difference of both numbers, as −iω is an eigenvalue with iω.
#pragma once

#include <optional>

#include "modes/problem/quadratic_pencil.h"

namespace stillpoint {

/// Returns the number of eigenvalues with |s| < radius (scaled), by two factorisations, one of twice the order. Returns
/// nothing if the conditions do not hold, or if rounding hides a sign.
std::optional<Index> count_gyroscopic(const BorderedProblem& problem, const QuadraticPencil& pencil, double radius);

/// A part of the imaginary axis, scaled.
struct FrequencyBand {
  double from = 0, to = 0;
};

/// Returns the number of eigenvalues iω with from < ω < to. Under the same conditions at the lower end no others lie in
/// the disc around the middle that touches both ends.
std::optional<Index> count_gyroscopic(const BorderedProblem& problem, const QuadraticPencil& pencil,
                                      const FrequencyBand& band);

}  // namespace stillpoint
