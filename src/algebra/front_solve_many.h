// Solutions for many right-hand sides at once: each front is read once for all of them, and multiplied by BLAS.
#pragma once

#include <Eigen/Core>

#include "algebra/front_factors.h"

namespace stillpoint {

/// Overwrites the right-hand sides, a row each, in the planned order, by the solutions. As solve_in_place() for each of
/// them, but for rounding.
void solve_rows_in_place(const FrontFactors& factors, Eigen::MatrixXd& X);

}  // namespace stillpoint
