#include "scene/shapes.h"

#include <algorithm>
#include <cmath>

#include "base/at.h"
#include "scene/hull.h"

namespace stillpoint {

namespace {

constexpr double same_place = 1e-6;       // relative to the size: two places that are drawn as one
constexpr double off_the_line = 0.02;     // relative to the longest distance: a body that is wider is a hull
constexpr std::size_t most_corners = 24;  // of a hull; more of them are joined to their middle

/// The places of a body at which something hangs on it.
using Places = std::vector<std::vector<Vec3<double>>>;

void add_place(std::vector<Vec3<double>>& places, const Vec3<double>& place, double tolerance) {
  const auto is_here = [&](const Vec3<double>& other) { return length(other - place) <= tolerance; };
  if (std::none_of(places.begin(), places.end(), is_here)) places.push_back(place);
}

bool hangs(const SceneElement& element) {
  return element.role != SceneRole::beam && element.role != SceneRole::other && element.kind != "rotor";
}

Places places_of_bodies(const Scene& scene) {
  Places places(scene.frames.size());
  for (const SceneElement& element : scene.elements) {
    if (!hangs(element)) continue;
    for (const ScenePlace& place : element.places)
      if (place.frame >= 0) add_place(places[at(place.frame)], place.at, same_place * scene.size);
  }
  return places;
}

/// A body whose frame is the end of a beam is drawn by the beam.
std::vector<char> ends_of_beams(const Scene& scene) {
  std::vector<char> is_end(scene.frames.size(), 0);
  for (const SceneElement& element : scene.elements) {
    if (element.role != SceneRole::beam) continue;
    for (const ScenePlace& place : element.places)
      if (place.frame >= 0) is_end[at(place.frame)] = 1;
  }
  return is_end;
}

struct Longest {
  Vec3<double> a, b;
  double distance = 0;
};

Longest longest_between(const std::vector<Vec3<double>>& places) {
  Longest found;
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = i + 1; j < places.size(); ++j) {
      const double distance = length(places[j] - places[i]);
      if (distance > found.distance) found = {places[i], places[j], distance};
    }
  }
  return found;
}

bool are_on_one_line(const std::vector<Vec3<double>>& places, const Longest& line) {
  const Vec3<double> along = (1 / line.distance) * (line.b - line.a);
  return std::all_of(places.begin(), places.end(), [&](const Vec3<double>& place) {
    return length(cross(along, place - line.a)) <= off_the_line * line.distance;
  });
}

ScenePrimitive capsule(Index frame, const Vec3<double>& a, const Vec3<double>& b, double radius) {
  return {SceneShape::capsule, frame, {a, b}, radius, {}, {}, {}};
}

ScenePrimitive ellipsoid(Index number, const SceneFrame& frame) {
  return {SceneShape::ellipsoid, number, {frame.centre}, 0, frame.half_axes, frame.principal_axes, {}};
}

/// The radius of gyration about an axis through the centre, across the given direction.
double gyration_across(const SceneFrame& frame, int dimension, const Vec3<double>& direction) {
  const Vec3<double>& h = frame.half_axes;
  if (dimension == 2) return h.x / std::sqrt(2.0);
  const Vec3<double> d = turned_back(frame.principal_axes, direction);
  const double along =
      (h.y * h.y + h.z * h.z) * d.x * d.x + (h.x * h.x + h.z * h.z) * d.y * d.y + (h.x * h.x + h.y * h.y) * d.z * d.z;
  const double all = 2 * (h.x * h.x + h.y * h.y + h.z * h.z);
  return std::sqrt(std::max(0.0, (all - along) / 10));
}

/// A body on one joint: a bar that reaches as far as a uniform one with this inertia would, or a stem to the centre of
/// mass, with the ellipsoid of the inertia where it is stout.
void add_pendulum(const Scene& scene, Index number, const Vec3<double>& joint, double radius,
                  std::vector<ScenePrimitive>& shapes) {
  const SceneFrame& frame = scene.frames[at(number)];
  const Vec3<double> arm = frame.centre - joint;
  const double distance = length(arm);
  const double gyration = gyration_across(frame, scene.dimension, (1 / distance) * arm);
  const double share = gyration / distance;
  const bool is_uniform_bar = share > 0.5 && share < 0.65;  // 1/√3 = 0.577
  shapes.push_back(capsule(number, joint, is_uniform_bar ? joint + 2.0 * arm : frame.centre, radius));
  const Vec3<double>& half = frame.half_axes;
  const double thinnest = scene.dimension == 2 ? half.x : std::min({half.x, half.y, half.z});
  if (!is_uniform_bar && thinnest > 2 * radius && share < 1.5) shapes.push_back(ellipsoid(number, frame));
}

void add_hull(const Scene& scene, Index number, std::vector<Vec3<double>> places, double radius,
              std::vector<ScenePrimitive>& shapes) {
  if (places.size() > most_corners) {
    Vec3<double> middle;
    for (const Vec3<double>& place : places) middle += (1.0 / static_cast<double>(places.size())) * place;
    for (const Vec3<double>& place : places) shapes.push_back(capsule(number, middle, place, radius));
    return;
  }
  ScenePrimitive hull{SceneShape::hull, number, {}, radius, {}, {}, {}};
  const double tolerance = same_place * scene.size;
  if (scene.dimension == 2) {
    for (const Index corner : hull_polygon(places, {1, 0, 0}, {0, 1, 0}, tolerance))
      hull.points.push_back(places[at(corner)]);
  } else {
    hull.faces = hull_faces(places, tolerance);
    hull.points = std::move(places);
  }
  shapes.push_back(std::move(hull));
}

void add_shape(const Scene& scene, Index number, std::vector<Vec3<double>> places, double radius,
               std::vector<ScenePrimitive>& shapes) {
  const SceneFrame& frame = scene.frames[at(number)];
  const double tolerance = same_place * scene.size;
  const bool has_size = length(frame.half_axes) > tolerance;
  if (places.empty() || (places.size() == 1 && length(places[0] - frame.centre) <= tolerance)) {
    if (has_size) shapes.push_back(ellipsoid(number, frame));
    return;
  }
  if (places.size() == 1 && frame.mass > 0) return add_pendulum(scene, number, places[0], radius, shapes);
  if (frame.mass > 0) add_place(places, frame.centre, tolerance);
  const Longest line = longest_between(places);
  if (line.distance <= tolerance) return;
  if (are_on_one_line(places, line)) shapes.push_back(capsule(number, line.a, line.b, radius));
  else add_hull(scene, number, std::move(places), radius, shapes);
}

}  // namespace

std::vector<ScenePrimitive> automatic_shapes(const Scene& scene, double radius) {
  const Places places = places_of_bodies(scene);
  const std::vector<char> is_end = ends_of_beams(scene);
  std::vector<ScenePrimitive> shapes;
  for (std::size_t f = 0; f < scene.frames.size(); ++f) {
    if (scene.frames[f].kind != SceneFrame::Kind::body) continue;
    const bool is_drawn_by_beam = is_end[f] != 0 && places[f].size() < 2;
    if (!is_drawn_by_beam) add_shape(scene, static_cast<Index>(f), places[f], radius, shapes);
  }
  return shapes;
}

}  // namespace stillpoint
