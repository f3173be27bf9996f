// What is computed with the factors: solutions, signs and error bounds.
#pragma once

#include <Eigen/Core>

#include "algebra/front_factors.h"
#include "stillpoint/symmetric_factor.h"

namespace stillpoint {

/// Overwrites the right-hand side, in the planned order, by the solution. Unknowns whose pivot is zero become 0.
void solve_in_place(const FrontFactors& factors, Eigen::VectorXd& x);

SignCount count_signs(const FrontFactors& factors);

/// The smallest eigenvalue in magnitude of the blocks of D; 0 if a pivot is zero, infinite if there is none.
double smallest_pivot(const FrontFactors& factors);

/// |L| |D| |L|ᵀ x, in the planned order; rotations are left out, they change no norms.
Eigen::VectorXd apply_magnitudes(const FrontFactors& factors, const Eigen::VectorXd& x);

}  // namespace stillpoint
