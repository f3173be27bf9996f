// A row of equal masses and springs with dampers, whose eigenvalues are known.
#pragma once

#include <complex>

#include "stillpoint/linear_system.h"

namespace stillpoint {

/// Between two walls, all of size one, with C = a M + b K and a gyroscopic part g.
LinearSystem damped_row(Index N, double a, double b, double g = 0);

/// Of the mode j = 1 ... N without the gyroscopic part, the one with Im s ≥ 0; of an overdamped one the slower.
std::complex<double> damped_root(Index N, Index j, double a, double b);

}  // namespace stillpoint
