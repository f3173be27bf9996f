// The skeleton of a model: frames, elements and shapes.

#include <algorithm>
#include <cmath>

#include "base/at.h"
#include "scene/drawn_shapes.h"
#include "scene/elements.h"
#include "scene/frames.h"
#include "scene/masses.h"
#include "scene/shapes.h"

namespace stillpoint {

namespace {

constexpr double slender = 0.012;     // radius of a part, relative to the size
constexpr double of_shortest = 0.15;  // but no more than this share of a typical part

SceneFrame::Kind kind_of(BlockKind kind) {
  if (is_body(kind)) return SceneFrame::Kind::body;
  if (is_point(kind)) return SceneFrame::Kind::point;
  return kind == BlockKind::node ? SceneFrame::Kind::node : SceneFrame::Kind::scalar;
}

std::vector<SceneFrame> frames_at(const Model& model, const State& rest, const SceneFrames& frames) {
  const std::vector<ScenePose> poses = frames.poses(rest).poses;
  std::vector<SceneFrame> all(poses.size());
  for (std::size_t f = 0; f < all.size(); ++f) {
    const Index block = frames.block_of(static_cast<Index>(f));
    all[f].kind = kind_of(model.blocks()[at(block)].kind);
    all[f].name = model.block_name(block);
    all[f].position = poses[f].position;
    all[f].rotation = poses[f].rotation;
  }
  add_masses(model, frames, all);
  return all;
}

/// A box that grows.
class Box {
 public:
  void add(const Vec3<double>& p) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) return;
    low_ = is_empty_ ? p : Vec3<double>{std::min(low_.x, p.x), std::min(low_.y, p.y), std::min(low_.z, p.z)};
    high_ = is_empty_ ? p : Vec3<double>{std::max(high_.x, p.x), std::max(high_.y, p.y), std::max(high_.z, p.z)};
    is_empty_ = false;
  }
  const Vec3<double>& low() const { return low_; }
  const Vec3<double>& high() const { return high_; }

 private:
  bool is_empty_ = true;
  Vec3<double> low_, high_;
};

/// Whether the places of an element belong to the mechanism itself.
bool is_part(const SceneElement& element) {
  return element.role == SceneRole::joint || element.role == SceneRole::link || element.role == SceneRole::beam;
}

/// Adds the far ends of springs and dampers unless they are so far away that nothing else could be seen: a damper that
/// acts along one direction is often described by such a place.
void add_ends(const Scene& scene, const std::vector<ScenePose>& poses, Box& box) {
  constexpr double far = 3;  // relative to everything else
  const Box core = box;
  const Vec3<double> middle = 0.5 * (core.low() + core.high());
  const double reach = far * length(core.high() - core.low());
  for (const SceneElement& element : scene.elements) {
    for (const ScenePlace& place : element.places) {
      const Vec3<double> at_place = place_in(poses, place);
      if (reach == 0 || length(at_place - middle) <= reach) box.add(at_place);
    }
  }
}

void add_box(const Model& model, Scene& scene) {
  std::vector<ScenePose> poses;
  for (const SceneFrame& frame : scene.frames) poses.push_back({frame.position, frame.rotation});
  Box box;
  for (std::size_t f = 0; f < scene.frames.size(); ++f) {
    box.add(poses[f].position);
    if (scene.frames[f].mass > 0) box.add(place_in(poses, {static_cast<Index>(f), scene.frames[f].centre}));
  }
  for (const SceneElement& element : scene.elements) {
    if (!is_part(element)) continue;
    for (const ScenePlace& place : element.places) box.add(place_in(poses, place));
  }
  add_ends(scene, poses, box);
  scene.box = {box.low(), box.high()};
  scene.size = length(box.high() - box.low());
  constexpr double no_size = 1e-12;  // m; no mechanism is as small as this
  if (scene.size > no_size) return;
  // A single body: as large as its inertia says.
  scene.size = 1;
  for (const SceneFrame& frame : scene.frames)
    if (length(frame.half_axes) > no_size) scene.size = 2 * length(frame.half_axes);
  const Vec3<double> half{scene.size / 2, scene.size / 2, model.space_markers().size() > 1 ? scene.size / 2 : 0};
  scene.box = {box.low() - half, box.high() + half};
}

/// The radius of slender parts: that of the picture, or less where parts are short.
double radius_of_parts(const Scene& scene) {
  std::vector<double> lengths;
  for (const SceneElement& element : scene.elements)
    for (const auto& [name, value] : element.numbers)
      if (name == "length") lengths.push_back(value);
  double radius = slender * scene.size;
  if (lengths.empty()) return radius;
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return std::min(radius, of_shortest * *middle);
}

/// A body that the model file draws is not drawn by guess as well.
void take_drawn_shapes(const std::vector<ScenePrimitive>& drawn, Scene& scene) {
  std::erase_if(scene.primitives, [&](const ScenePrimitive& guess) {
    return std::any_of(drawn.begin(), drawn.end(), [&](const ScenePrimitive& d) { return d.frame == guess.frame; });
  });
  scene.primitives.insert(scene.primitives.end(), drawn.begin(), drawn.end());
}

}  // namespace

Scene scene_of(const Model& model, const State& rest) {
  const SceneFrames frames(model);
  Scene scene;
  scene.name = model.name();
  scene.dimension = frames.is_in_space() ? 3 : 2;
  scene.gravity = model.gravity();
  scene.is_schematic = frames.is_schematic();
  scene.frames = frames_at(model, rest, frames);
  scene.elements = scene_elements(model, rest, frames);
  add_box(model, scene);
  scene.primitives = automatic_shapes(scene, radius_of_parts(scene));
  take_drawn_shapes(drawn_shapes(model, frames), scene);
  return scene;
}

std::vector<ScenePose> poses_at(const Scene& scene, const ModeMotion& motion, double a, double b) {
  const std::size_t frames = scene.frames.size(), components = at(scene.components());
  std::vector<double> moved(frames * components, 0.0);
  for (std::size_t t = 0; t < motion.powers.size(); ++t) {
    const double weight = std::pow(a, motion.powers[t][0]) * std::pow(b, motion.powers[t][1]);
    if (weight == 0) continue;
    for (std::size_t c = 0; c < components; ++c) {
      const double factor = weight * motion.scale[t * components + c];
      for (std::size_t f = 0; f < frames; ++f)
        moved[f * components + c] += factor * motion.values[(t * components + c) * frames + f];
    }
  }
  std::vector<ScenePose> poses(frames);
  for (std::size_t f = 0; f < frames; ++f)
    poses[f] = displaced_pose(scene.frames[f], scene.dimension, &moved[f * components]);
  return poses;
}

namespace {

double gap_of(const SceneElement& element, const std::vector<ScenePose>& poses) {
  const Vec3<double> a = place_in(poses, element.places[0]), d = place_in(poses, element.places[1]) - a;
  switch (element.holds) {
    case SceneHold::point:
      return length(d);
    case SceneHold::line:
      return length(cross(direction_in(poses, element.places[0].frame, element.axis.value_or(Vec3<double>{})), d));
    case SceneHold::plane:
      return std::abs(dot(direction_in(poses, element.places[0].frame, element.axis.value_or(Vec3<double>{})), d));
    case SceneHold::distance:
      for (const auto& [name, value] : element.numbers)
        if (name == "length") return std::abs(length(d) - value);
      return 0;
    case SceneHold::none:
      return 0;
  }
  return 0;
}

}  // namespace

double largest_gap(const Scene& scene, const std::vector<ScenePose>& poses) {
  double largest = 0;
  for (const SceneElement& element : scene.elements)
    if (element.holds != SceneHold::none) largest = std::max(largest, gap_of(element, poses));
  return largest / scene.size;
}

}  // namespace stillpoint
