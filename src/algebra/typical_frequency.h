// A frequency in units of which the eigenvalues of a problem are near one.
#pragma once

#include <Eigen/Core>

namespace stillpoint {

/// From the stiffness and the mass of each coordinate (not negative): the geometric mean of √(k/m), rounded to a power
/// of two, so that dividing by it rounds nothing. 1 if no coordinate has both.
///
/// What seems slower than 1e-6 or faster than 1e12 rad/s does not count: such are stiffnesses and masses that cancelled
/// but for rounding.
double typical_frequency(const Eigen::VectorXd& stiffness, const Eigen::VectorXd& mass);

}  // namespace stillpoint
