// A unit of frequency in which the eigenvalues of a problem are of order one.
#pragma once

#include <Eigen/Core>

namespace stillpoint {

/// Returns the geometric mean of √(k/m) over the coordinates, rounded to a power of two so that dividing by it does not
/// round; 1 if no coordinate has both stiffness and mass. Neither vector may have negative entries.
///
/// Frequencies below 1e-6 or above 1e12 rad/s are left out: they arise where a stiffness or a mass cancels up to
/// rounding.
double typical_frequency(const Eigen::VectorXd& stiffness, const Eigen::VectorXd& mass);

}  // namespace stillpoint
