// Vectors and rotations as Eigen has them: the tests' witness for our own.
#pragma once

#include <Eigen/Geometry>

#include "stillpoint/authoring/vec3.h"

namespace stillpoint {

inline Eigen::Vector3d eigen(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
inline Eigen::Quaterniond eigen(const Rotation<double>& r) { return {r.w, r.x, r.y, r.z}; }
inline Eigen::Matrix3d matrix(const Rotation<double>& r) { return eigen(r).toRotationMatrix(); }

}  // namespace stillpoint
