#include "equilibrium/closing/fitting.h"

#include <Eigen/Geometry>

namespace stillpoint {

namespace {

constexpr double least_sine = 1e-9;  // vectors that differ by a smaller angle do not determine a rotation

Eigen::Vector3d eigen(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

/// Orthonormal axes: the first along a, the third across a and b.
Eigen::Matrix3d axes_along(const Vec3<double>& a, const Vec3<double>& b) {
  Eigen::Matrix3d axes;
  axes.col(0) = eigen(a).normalized();
  axes.col(2) = axes.col(0).cross(eigen(b)).normalized();
  axes.col(1) = axes.col(2).cross(axes.col(0));
  return axes;
}

Rotation<double> rotation_of(const Eigen::Quaterniond& q) { return normalized({q.w(), q.x(), q.y(), q.z()}); }

}  // namespace

std::optional<std::pair<KnownVector, KnownVector>> find_two_independent(const std::vector<KnownVector>& vectors,
                                                                        double size) {
  const KnownVector *first = nullptr, *second = nullptr;
  double longest = 0, widest = 0;
  for (const KnownVector& vector : vectors) {
    if (length(vector.in_body) > longest) first = &vector, longest = length(vector.in_body);
  }
  for (const KnownVector& vector : vectors) {
    const double width = first ? length(cross(vector.in_body, first->in_body)) / longest : 0;
    if (width > widest) second = &vector, widest = width;
  }
  if (!second || longest < least_sine * size || widest < least_sine * std::max(longest, size)) return {};
  return std::pair(*first, *second);
}

Rotation<double> fitted_rotation(const KnownVector& first, const KnownVector& second) {
  const Eigen::Matrix3d R =
      axes_along(first.in_ground, second.in_ground) * axes_along(first.in_body, second.in_body).transpose();
  return rotation_of(Eigen::Quaterniond(R));
}

Rotation<double> least_turned(const Rotation<double>& drawn, const KnownVector& vector) {
  const Vec3<double> from = turned(drawn, vector.in_body);
  return normalized(rotation_of(Eigen::Quaterniond::FromTwoVectors(eigen(from), eigen(vector.in_ground))) * drawn);
}

}  // namespace stillpoint
