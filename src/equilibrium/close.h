// Assembly: the nearest state at which the constraints are met.
#pragma once

#include "equilibrium/statics.h"

namespace stillpoint {

struct Closing {
  State state;
  Eigen::VectorXd gap;      ///< W Φ there
  bool stationary = false;  ///< nothing near closes it further
  int iterations = 0;

  double opening() const { return largest(gap); }
};

/// Least squares of the gaps W Φ by Levenberg and Marquardt's method, whose damping vanishes with the gaps: quick and
/// safe also where J loses rank (Yamashita and Fukushima 2001). All rows count.
Closing close_constraints(Statics& statics, const State& start);

}  // namespace stillpoint
