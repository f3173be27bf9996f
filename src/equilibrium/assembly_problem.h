// The assembly problem (position problem): the nearest state at which the constraints are satisfied,
//
//   min ½ |W Φ(q)|²
//
// The method is that of [Levenberg 1944] and [Marquardt 1963] with a damping that vanishes with the residual; it
// converges fast also where J loses rank [Yamashita & Fukushima 2001]. Its steps are the least in the metric of
// displacement_metric.h, and as long as the constraints are nearly linear along them.
#pragma once

#include "equilibrium/statics.h"

namespace stillpoint {

struct AssemblyResult {
  State state;
  Eigen::VectorXd phi;      ///< the scaled constraint residual W Φ at the state
  bool stationary = false;  ///< the residual is at a local minimum
  int iterations = 0;

  double constraint_residual() const { return largest(phi); }
};

/// Solves the assembly problem from a start. All rows of Φ count, also those that depend on others.
AssemblyResult assemble_constraints(Statics& statics, const State& start);

}  // namespace stillpoint
