// The assignment problem: each row of a matrix of costs gets a column of its own, with the least sum.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace stillpoint {

/// Where there are fewer columns than rows, some rows get none.
inline constexpr Eigen::Index nowhere = -1;

/// Returns the column of each row, by shortest augmenting paths [Jonker & Volgenant 1987]. The costs must be finite.
std::vector<Eigen::Index> assign(const Eigen::MatrixXd& costs);

}  // namespace stillpoint
