#include "model/displacement.h"

#include <algorithm>
#include <cmath>

namespace stillpoint {

double size_of_configuration(const Model& model, const Eigen::VectorXd& q) {
  double least = 0, most = 0;
  for (const Block& block : model.blocks()) {
    for (Index k = 0; k < lengths_of(block.kind); ++k) {
      least = std::min(least, q[block.first + k]);
      most = std::max(most, q[block.first + k]);
    }
  }
  constexpr double rounding = 1e-12;  // m; no mechanism is as small as this
  double size = most - least;
  for (const Marker& marker : model.markers()) size = std::max(size, std::hypot(marker.position.x, marker.position.y));
  for (const space::Marker& marker : model.space_markers())
    size = std::max(size, std::hypot(marker.position.x, marker.position.y, marker.position.z));
  return size > rounding ? size : 1;
}

Eigen::VectorXd displacement_between(const Model& model, const State& from, const State& to) {
  Eigen::VectorXd increments = to.q - from.q;
  for (const Block& block : model.blocks()) {
    if (block.kind != BlockKind::space_body) continue;
    const auto k = static_cast<std::size_t>(block.orientation);
    const Vec3<double> turn = rotation_vector(inverse(from.orientations[k]) * to.orientations[k]);
    increments.segment<3>(block.first + 3) = Eigen::Vector3d(turn.x, turn.y, turn.z);
  }
  return increments;
}

}  // namespace stillpoint
