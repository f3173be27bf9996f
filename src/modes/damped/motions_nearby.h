// What a search for lightly damped modes leaves for the system at the next point of a study: motions that nearly span
// the vectors there. They are only where the search begins; the proof that no mode is missing takes none of it.
#pragma once

#include <Eigen/Core>

#include "stillpoint/sparse.h"

namespace stillpoint {

struct MotionsNearby {
  /// Coordinates of the wanted modes with Im s ≥ 0 and of some beyond them, in columns by |s|; none if nothing is
  /// known.
  Eigen::MatrixXcd x;
  double shift = 0;   ///< a μ amid them that is no eigenvalue, (rad/s)²
  double end = 0;     ///< of the region that holds them, rad/s
  double beyond = 1;  ///< that end by the largest |s|
};

}  // namespace stillpoint
