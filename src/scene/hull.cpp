#include "scene/hull.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/at.h"

namespace stillpoint {

namespace {

/// A plane through three points, with all points on it; every other one is on its negative side.
struct Side {
  Vec3<double> normal;
  double offset = 0;
  std::vector<Index> on;
};

// Returns nothing where the points are on both sides of the plane through three of them, or these are on one line.
std::optional<Side> side_through(const std::vector<Vec3<double>>& points, Index i, Index j, Index k, double tolerance) {
  const Vec3<double> across = cross(points[at(j)] - points[at(i)], points[at(k)] - points[at(i)]);
  const double size = length(across);
  if (size <= tolerance * tolerance) return std::nullopt;
  Side side{(1 / size) * across, 0, {}};
  side.offset = dot(side.normal, points[at(i)]);
  for (Index p = 0; p < static_cast<Index>(points.size()); ++p) {
    const double height = dot(side.normal, points[at(p)]) - side.offset;
    if (height > tolerance) return std::nullopt;
    if (height > -tolerance) side.on.push_back(p);
  }
  return side;
}

void add_triangles(const std::vector<Vec3<double>>& points, const Side& side, double tolerance,
                   std::vector<std::array<Index, 3>>& faces) {
  const Rotation<double> axes = rotation_with(side.normal);
  std::vector<Vec3<double>> corners;
  for (const Index p : side.on) corners.push_back(points[at(p)]);
  const std::vector<Index> polygon = hull_polygon(corners, x_axis(axes), y_axis(axes), tolerance);
  for (std::size_t k = 2; k < polygon.size(); ++k)
    faces.push_back({side.on[at(polygon[0])], side.on[at(polygon[k - 1])], side.on[at(polygon[k])]});
}

}  // namespace

std::vector<Index> hull_polygon(const std::vector<Vec3<double>>& points, const Vec3<double>& u, const Vec3<double>& v,
                                double tolerance) {
  struct Corner {
    double x, y;
    Index index;
  };
  std::vector<Corner> sorted;
  for (std::size_t k = 0; k < points.size(); ++k)
    sorted.push_back({dot(u, points[k]), dot(v, points[k]), static_cast<Index>(k)});
  std::sort(sorted.begin(), sorted.end(),
            [](const Corner& a, const Corner& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  std::vector<Corner> chain;
  const auto add = [&](const Corner& next, std::size_t keep) {
    while (chain.size() >= keep + 2) {
      const Corner &a = chain[chain.size() - 2], &b = chain.back();
      const double dx = b.x - a.x, dy = b.y - a.y, long_enough = std::max(std::hypot(dx, dy), tolerance);
      if (dx * (next.y - a.y) - dy * (next.x - a.x) > tolerance * long_enough) break;
      chain.pop_back();
    }
    chain.push_back(next);
  };
  for (const Corner& corner : sorted) add(corner, 0);
  const std::size_t lower = chain.size() - 1;
  for (auto corner = sorted.rbegin() + 1; corner < sorted.rend(); ++corner) add(*corner, lower);
  std::vector<Index> polygon;
  for (std::size_t k = 0; k + 1 < chain.size(); ++k) polygon.push_back(chain[k].index);
  return polygon;
}

std::vector<std::array<Index, 3>> hull_faces(const std::vector<Vec3<double>>& points, double tolerance) {
  std::vector<std::array<Index, 3>> faces;
  std::vector<Side> sides;
  const auto n = static_cast<Index>(points.size());
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      for (Index k = std::max(i, j) + 1; k < n; ++k) {
        if (i == j) continue;
        const auto side = side_through(points, i, j, k, tolerance);
        if (!side) continue;
        const bool is_known = std::any_of(sides.begin(), sides.end(), [&](const Side& other) {
          return other.on == side->on && dot(other.normal, side->normal) > 0;
        });
        if (is_known) continue;
        add_triangles(points, *side, tolerance, faces);
        sides.push_back(*side);
      }
    }
  }
  return faces;
}

}  // namespace stillpoint
