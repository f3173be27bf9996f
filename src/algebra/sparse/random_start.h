// A pseudorandom start vector for iterative eigenvalue methods.
#pragma once

#include <Eigen/Core>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Returns numbers distributed uniformly in [−1, 1), reproducible for a given seed. Random signs ±1 would be orthogonal
/// too often to an eigenvector with a few equal entries.
Eigen::VectorXd random_start(Index size, unsigned seed = 1);

}  // namespace stillpoint
