// The constraints of a mechanism as a figure of points and directions on rigid bodies. Every joint consists of a few
// kinds of conditions:
//
//   two points coincide                          p_a = p_b
//   two directions are the same                  e_a = e_b
//   Length       a distance                      |p_b − p_a| = l
//   Incidence    a point in a plane              n·(p_to − p_from) = d + s,  s a scalar or absent
//   Cosine       an angle between directions     e_a·e_b = c
//   Heading      an angle in the plane           (p_to − p_from) points along φ
//   Twist        an angle about a common axis    φ of the z axes of two frames
//   CoordinateSum  of coordinates                Σ cᵢ qᵢ = d
//
// Points that coincide are one point with several bodies, and so are equal directions. A mechanism in the plane is a
// figure in space whose bodies share the direction z. A point of the model is a body that does not rotate.
#pragma once

#include <string>
#include <vector>

#include "stillpoint/model.h"

namespace stillpoint {

/// A point or direction in the axes of a body.
struct OnBody {
  Index body = 0;  ///< or the index of the point or direction, in the list of a body
  Vec3<double> r;
};

struct FigurePoint {
  std::vector<OnBody> on;  ///< the bodies that meet here
  std::vector<Index> lengths, incidences, headings;
  std::string name;  ///< of the joint or of the point
};

struct FigureDirection {
  std::vector<OnBody> on;
  std::vector<Index> incidences, cosines;
};

struct FigureBody {
  static constexpr Index ground = 0;  ///< the first body; that of block b is b + 1

  bool exists = false;  ///< false for scalars and nodes
  bool rotates = false, in_plane = false;
  std::vector<OnBody> points, directions;
  std::vector<Index> twists, headings;
  Index origin = 0;  ///< the point at its origin
};

struct Length {
  Index a = 0, b = 0;
  double length = 0;
  std::string name;
};

struct Incidence {
  Index normal = 0, from = 0, to = 0;
  Index travel = nothing;  ///< a coordinate
  std::string name;
};

struct Cosine {
  Index a = 0, b = 0;
  double cosine = 0;
};

/// The angle is a scalar, or that of a body increased by `offset`.
struct Heading {
  Index scalar = nothing, body = nothing;
  double offset = 0;
  Index from = 0, to = 0;
  std::string name;
};

struct Twist {
  Index scalar = nothing, a = 0, b = 0;
  Rotation<double> in_a, in_b;
};

struct CoordinateSum {
  std::vector<Index> coordinates;
  std::vector<double> factors;
  double value = 0;
};

struct Figure {
  std::vector<FigureBody> bodies;
  std::vector<FigurePoint> points;
  std::vector<FigureDirection> directions;
  std::vector<Length> lengths;
  std::vector<Incidence> incidences;
  std::vector<Cosine> cosines;
  std::vector<Heading> headings;
  std::vector<Twist> twists;
  std::vector<CoordinateSum> sums;
};

/// Joints that consist of other conditions, and what is attached to a node of a flexible body, are left out.
Figure figure_of(const Model& model, const State& state);

}  // namespace stillpoint
