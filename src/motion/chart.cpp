#include "motion/chart.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>

namespace stillpoint {

namespace {

double coefficient(double square) {
  constexpr double small = 1e-2;  // of the angle: the series has all digits there
  if (square < small * small) return 1.0 / 12 + square / 720 + square * square / 30240;
  const double angle = std::sqrt(square);
  return 1 / square - (1 + std::cos(angle)) / (2 * angle * std::sin(angle));
}

}  // namespace

Chart::Chart(const Model& model) {
  for (const Block& block : model.blocks()) {
    if (block.kind == BlockKind::space_body) turns_.push_back(block.first + 3);
  }
}

Eigen::VectorXd Chart::rates(const Eigen::VectorXd& increments, Eigen::VectorXd v) const {
  for (const Index first : turns_) {
    const Eigen::Vector3d theta = increments.segment<3>(first), omega = v.segment<3>(first);
    const Eigen::Vector3d once = theta.cross(omega);
    v.segment<3>(first) = omega + 0.5 * once + coefficient(theta.squaredNorm()) * theta.cross(once);
  }
  return v;
}

Eigen::MatrixXd Chart::for_increments(const Eigen::VectorXd& increments, Eigen::MatrixXd J) const {
  for (const Index first : turns_) {
    Eigen::Matrix3d of_increments;
    for (int k = 0; k < 3; ++k)
      of_increments.col(k) = rates(increments, Eigen::VectorXd::Unit(increments.size(), first + k)).segment<3>(first);
    J.middleCols<3>(first) = (J.middleCols<3>(first) * of_increments.inverse()).eval();
  }
  return J;
}

}  // namespace stillpoint
