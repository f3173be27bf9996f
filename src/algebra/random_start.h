// A vector that is in nobody's way.
#pragma once

#include <Eigen/Core>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Numbers between −1 and 1, always the same for a seed. (Signs alone, ±1, are too often at right angles to a vector
/// that has a few equal entries.)
Eigen::VectorXd random_start(Index size, unsigned seed = 1);

}  // namespace stillpoint
