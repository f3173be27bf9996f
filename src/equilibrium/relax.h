// Force balance from an assembled state, by Newton's method on the KKT system [K, Jᵀ; J, 0] with second-order
// corrections onto the constraints. Two globalisations exist: descent of the potential, where K is shifted by a
// multiple of the unit matrix (Hessian modification, a step of pseudo-transient continuation), and a line search on the
// residual. References: [Nocedal & Wright 2006], §3.4 and §18.3; [Kelley & Keyes 1998].
#pragma once

#include "equilibrium/statics.h"

namespace stillpoint {

enum class Measure {
  energy,   ///< every step lowers the potential; K is shifted where the step has negative curvature
  residual  ///< every step lowers the residual
};

struct Relaxation {
  enum class End { at_rest, rows_changed, no_progress, too_many_steps, ran_away };
  Point point;  ///< linearized
  End end = End::too_many_steps;
  int iterations = 0;
};

/// Iterates until the forces are balanced. The rows in use must be independent near the start. The iteration stops with
/// `rows_changed` where a row that is not in use has a residual above `residual_bound`.
Relaxation relax(Statics& statics, const State& start, Measure measure, int most_iterations, double residual_bound);

/// The force residual below which a point is an equilibrium: the tolerance, or the level of rounding.
double tolerance_at(const Point& point);

/// Balances the forces by load stepping (natural-parameter continuation): dead forces hold the start and are then
/// removed step by step. It converges in cases where Newton's method alone does not.
Relaxation relax_by_load_steps(Statics& statics, const State& start, int most_iterations, double residual_bound);

}  // namespace stillpoint
