// Convex hulls of a few points: the polygon in a plane by the monotone chain [Andrew 1979], and the faces in space by
// trying every plane through three points, which is the simplest method and good for some dozens.
#pragma once

#include <array>
#include <vector>

#include "stillpoint/authoring/vec3.h"
#include "stillpoint/sparse.h"

namespace stillpoint {

/// The corners of the hull of points in the plane with these axes, counter-clockwise about u × v.
std::vector<Index> hull_polygon(const std::vector<Vec3<double>>& points, const Vec3<double>& u, const Vec3<double>& v,
                                double tolerance);

/// The triangles of the hull in space, outward by the right-hand rule; both sides where all points are in one plane,
/// and none where they are on one line. Distances below the tolerance count as zero.
std::vector<std::array<Index, 3>> hull_faces(const std::vector<Vec3<double>>& points, double tolerance);

}  // namespace stillpoint
