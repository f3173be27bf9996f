// From a state with closed constraints to one at rest, by Newton's method on the bordered system.
#pragma once

#include "equilibrium/statics.h"

namespace stillpoint {

enum class Measure {
  energy,   ///< every step lowers the potential; steps are shortened by a shift of K where it has negative curvature
  residual  ///< every step lowers the residual
};

struct Relaxation {
  enum class End { at_rest, rows_changed, no_progress, too_many_steps, ran_away };
  Point point;  ///< linearized
  End end = End::too_many_steps;
  int iterations = 0;
};

/// Needs the rows in use to be independent near the start. Stops with `rows_changed` where a row that is not in use no
/// longer holds within the given opening.
Relaxation relax(Statics& statics, const State& start, Measure measure, int most_iterations, double opening);

/// The residual below which a point is at rest: the tolerance, or what rounding leaves.
double tolerance_at(const Point& point);

/// Force balance by load stepping: the start is held by dead forces that are then taken away step by step. Goes where
/// Newton's method alone does not.
Relaxation unload(Statics& statics, const State& start, int most_iterations, double opening);

}  // namespace stillpoint
