// The directions t with tᵀ B_i t = 0 for all of some symmetric matrices, split into flat pieces.
#pragma once

#include <Eigen/Dense>
#include <vector>

namespace stillpoint {

struct Cone {
  std::vector<Eigen::MatrixXd> pieces;  ///< orthonormal columns; none contains another
  bool complete = true;                 ///< false: a part of the cone is curved, or there are too many pieces
};

/// Forms are compared with 1: what is below `noise` counts as zero.
Cone split_cone(const std::vector<Eigen::MatrixXd>& forms, Eigen::Index dimension, double noise);

}  // namespace stillpoint
