#include "stillpoint/authoring/vec3.h"

namespace stillpoint {

Rotation<double> normalized(const Rotation<double>& r) {
  const double over = 1 / std::sqrt(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z);
  return {over * r.w, over * r.x, over * r.y, over * r.z};
}

Rotation<double> rotation_about(const Vec3<double>& vector) {
  const double angle = length(vector);
  if (angle == 0) return {};
  const Vec3<double> s = (std::sin(0.5 * angle) / angle) * vector;
  return {std::cos(0.5 * angle), s.x, s.y, s.z};
}

Vec3<double> rotation_vector(const Rotation<double>& r) { return rotation_vector_of(r); }

Rotation<double> rotation_with(const Vec3<double>& z, const Vec3<double>& x) {
  const Vec3<double> e3 = (1 / length(z)) * z;
  const Vec3<double> across = cross(e3, x);
  const Vec3<double> e2 = (1 / length(across)) * across;
  const Vec3<double> e1 = cross(e2, e3);
  // The quaternion of the rotation matrix [e1 e2 e3], computed from its largest component [Shepperd 1978].
  const double trace = e1.x + e2.y + e3.z;
  if (trace > 0) return normalized({1 + trace, e2.z - e3.y, e3.x - e1.z, e1.y - e2.x});
  if (e1.x >= e2.y && e1.x >= e3.z) return normalized({e2.z - e3.y, 1 + e1.x - e2.y - e3.z, e2.x + e1.y, e3.x + e1.z});
  if (e2.y >= e3.z) return normalized({e3.x - e1.z, e2.x + e1.y, 1 - e1.x + e2.y - e3.z, e3.y + e2.z});
  return normalized({e1.y - e2.x, e3.x + e1.z, e3.y + e2.z, 1 - e1.x - e2.y + e3.z});
}

Rotation<double> rotation_with(const Vec3<double>& z) {
  const bool along_x = std::abs(z.x) > 0.9 * length(z);
  return rotation_with(z, along_x ? Vec3<double>{0, 1, 0} : Vec3<double>{1, 0, 0});
}

}  // namespace stillpoint
