// Decomposition of the cone {t : tᵀ B_i t = 0 for all i} of symmetric matrices B_i, the tangent cone of a
// configuration, theory (9.1), into linear subspaces. A form of signature (1, 1) splits a subspace into two
// hyperplanes, a semidefinite form restricts it to its null space; any other form leaves a curved cone, which is not
// decomposed.
#pragma once

#include <Eigen/Dense>
#include <vector>

namespace stillpoint {

struct Cone {
  std::vector<Eigen::MatrixXd> pieces;  ///< orthonormal bases of the subspaces; none contains another
  bool complete = true;                 ///< false: a part of the cone is curved, or there are too many subspaces
};

/// The forms are dimensionless: values below `noise` count as zero.
Cone split_cone(const std::vector<Eigen::MatrixXd>& forms, Eigen::Index dimension, double noise);

}  // namespace stillpoint
