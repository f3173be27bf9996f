// Where planes and spheres meet: the closed-form solution behind every closing condition.
//
//   nᵢ·x = dᵢ,   |x − c_j| = r_j
//
// The difference of the equations of two spheres is a plane. Three independent planes meet in a point;
// two planes and a sphere in two points, at the distances ±h from the foot of the centre on their line. In the plane
// these are the intersections of two circles, or of a circle and a line. For a direction the sphere is the unit sphere.
#pragma once

#include <array>
#include <vector>

#include "stillpoint/authoring/vec3.h"
#include "stillpoint/sparse.h"

namespace stillpoint {

/// What one condition leaves of space for a point, or for a direction.
struct Locus {
  enum class Shape { plane, sphere };

  /// The part of the mechanism that keeps the point on the locus.
  struct Link {
    enum class Kind { none, body, length, incidence, heading };
    Kind kind = Kind::none;
    Index index = 0;
  };

  Shape shape = Shape::plane;
  Vec3<double> vector;  ///< the normal of the plane, or the centre of the sphere
  double value = 0;     ///< n·x of the plane, or the radius of the sphere
  Vec3<double> drawn;   ///< at the guess: the normal, or the vector from the centre to the point
  bool is_ray = false;  ///< only solutions with ahead·(x − start) > 0 count
  Vec3<double> ahead{}, start{};
  Link link{};
  Index centre = -1;  ///< the point at the centre of the sphere
};

/// A solution, and on which side of the foot it lies: +1, −1, or 0 if there is only one.
struct MeetingPoint {
  Vec3<double> at;
  int branch = 0;
};

struct Meeting {
  bool determined = false;              ///< the loci leave single points, or none
  std::vector<MeetingPoint> solutions;  ///< the one of the assembly mode that the guess has stands first
  double gap = 0;  ///< if there is none: what is missing, as a length; 0 if more loci than needed contradict
  std::array<std::size_t, 2> apart{};  ///< if there is a gap: the loci that do not meet
};

/// `size` is the length to which differences are compared, and `guess` the point that decides where the guess has no
/// assembly mode.
Meeting meet(const std::vector<Locus>& loci, const Vec3<double>& guess, double size);

/// The point nearest to the guess on loci that leave more than single points.
Vec3<double> nearest_point(const std::vector<Locus>& loci, const Vec3<double>& guess);

}  // namespace stillpoint
