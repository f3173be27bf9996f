#include "scene/drawn_shapes.h"

#include "stillpoint/drawings.h"

namespace stillpoint {

namespace {

SceneShape shape_of(DrawnShape shape) {
  switch (shape) {
    case DrawnShape::box:
      return SceneShape::box;
    case DrawnShape::cylinder:
      return SceneShape::cylinder;
    case DrawnShape::capsule:
      return SceneShape::capsule;
    case DrawnShape::sphere:
      return SceneShape::sphere;
    case DrawnShape::polyline:
      return SceneShape::polyline;
    case DrawnShape::mesh:
      return SceneShape::mesh;
  }
  return SceneShape::sphere;
}

ScenePrimitive primitive_of(const Drawing& drawing, Index frame) {
  ScenePrimitive shape{
      shape_of(drawing.geometry.shape), frame, {}, drawing.geometry.radius, {}, {}, drawing.mesh.faces};
  const auto placed = [&](const Vec3<double>& p) { return drawing.position + turned(drawing.rotation, p); };
  switch (drawing.geometry.shape) {
    case DrawnShape::box:
      shape.half = 0.5 * drawing.geometry.sides;
      shape.rotation = drawing.rotation;
      shape.points = {drawing.position};
      break;
    case DrawnShape::sphere:
      shape.points = {drawing.position};
      break;
    case DrawnShape::cylinder:
    case DrawnShape::capsule:
      shape.points = {placed(drawing.geometry.from), placed(drawing.geometry.to)};
      break;
    case DrawnShape::polyline:
      for (const Vec3<double>& point : drawing.geometry.points) shape.points.push_back(placed(point));
      break;
    case DrawnShape::mesh:
      for (const Vec3<double>& point : drawing.mesh.points) shape.points.push_back(placed(point));
  }
  shape.name = drawing.name;
  shape.color = drawing.geometry.color;
  shape.is_from_file = true;
  return shape;
}

}  // namespace

std::vector<ScenePrimitive> drawn_shapes(const Model& model, const SceneFrames& frames) {
  std::vector<ScenePrimitive> shapes;
  for (const Drawing& drawing : drawings_of(model)) {
    const Index frame = frames.of_block(drawing.block);
    if (frame >= 0 || drawing.block == on_ground) shapes.push_back(primitive_of(drawing, frame));
  }
  return shapes;
}

}  // namespace stillpoint
