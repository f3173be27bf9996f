// Solutions of linear systems with many right-hand sides: each front is read once for all of them and multiplied by
// BLAS.
#pragma once

#include <Eigen/Core>

#include "algebra/ldlt/front_factors.h"

namespace stillpoint {

/// Overwrites the right-hand sides, one in each row and in the elimination order, by the solutions. Behind the unknowns
/// there are columns for copies (front_branches.h), which contain 0 at first. The results agree with those of
/// solve_in_place() up to rounding.
void solve_rows_in_place(const FrontFactors& factors, Eigen::MatrixXd& X);

}  // namespace stillpoint
