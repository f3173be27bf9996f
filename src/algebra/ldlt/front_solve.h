// Operations with the multifrontal factors: solutions of linear systems, inertia, and error bounds.
#pragma once

#include <Eigen/Core>

#include "algebra/ldlt/front_factors.h"
#include "stillpoint/detail/symmetric_factor.h"

namespace stillpoint {

/// Overwrites the right-hand side, in the elimination order, by the solution. Unknowns with a zero pivot become 0.
/// Behind the unknowns there are places for copies (front_branches.h), which contain 0 at first.
void solve_in_place(const FrontFactors& factors, Eigen::VectorXd& x);

SignCount count_signs(const FrontFactors& factors);

/// Returns the smallest magnitude of an eigenvalue of the blocks of D: 0 if a pivot is zero, infinity if there is none.
double smallest_pivot(const FrontFactors& factors);

/// Returns |L| |D| |L|ᵀ x in the elimination order. Rotations are left out because they do not change the 2-norm.
Eigen::VectorXd apply_magnitudes(const FrontFactors& factors, const Eigen::VectorXd& x);

}  // namespace stillpoint
