// A shape that is drawn at a place of the mechanism, and has no other effect. Lengths are in m, in the axes of the
// place (a point has those of the ground).
//
//   box       centred at the place, with three sides along its axes
//   cylinder  between two points, with a radius; in the plane its picture is a rectangle
//   capsule   the same with round ends
//   sphere    centred at the place
//   polyline  through points, with the radius of the line; 0: as thin as is drawn
//   mesh      triangles of a file, scaled
#pragma once

#include <string>
#include <vector>

#include "stillpoint/authoring/element.h"

namespace stillpoint {

enum class DrawnShape { box, cylinder, capsule, sphere, polyline, mesh };
/// The key in model files: "box", ...
const char* key_of(DrawnShape shape);

struct DrawnGeometry {
  DrawnShape shape = DrawnShape::sphere;
  Vec3<double> sides;                ///< of a box; in the plane z may be 0
  Vec3<double> from, to;             ///< the ends of a cylinder or capsule
  double radius = 0;                 ///< of a sphere, cylinder, capsule, or line
  std::vector<Vec3<double>> points;  ///< of a polyline
  std::string file;                  ///< of a mesh, with the path from the working directory
  double scale = 1;                  ///< by which lengths of the file are multiplied: 0.001 for mm
  std::string color;                 ///< "#rrggbb"; empty: as other bodies
};

template <class Place>
struct BasicDrawn {
  Place on;
  std::string name;
  DrawnGeometry geometry;

  static constexpr unsigned laws = 0;
  static const ElementInfo& info();
  auto places() const { return std::tuple(on); }
};

using Drawn = BasicDrawn<PositionOf>;

namespace space {
using Drawn = BasicDrawn<space::PositionOf>;
}

}  // namespace stillpoint
