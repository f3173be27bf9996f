// The assignment problem: each row of a square matrix of costs gets a column of its own, with the least sum.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace stillpoint {

/// Returns the column of each row, by shortest augmenting paths [Jonker & Volgenant 1987]. The costs must be finite.
std::vector<Eigen::Index> assign(const Eigen::MatrixXd& costs);

}  // namespace stillpoint
