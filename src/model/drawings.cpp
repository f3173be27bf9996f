#include "stillpoint/drawings.h"

namespace stillpoint {

namespace {

TriangleMesh mesh_of(const DrawnGeometry& geometry) {
  if (geometry.shape != DrawnShape::mesh) return {};
  TriangleMesh mesh = read_triangle_mesh(geometry.file);
  for (Vec3<double>& point : mesh.points) point = geometry.scale * point;
  return mesh;
}

Drawing placed(const Model& model, const Drawn& drawn) {
  const Marker& marker = model.markers()[static_cast<std::size_t>(drawn.on.marker)];
  return {drawn.name,
          marker.block,
          {marker.position.x, marker.position.y, 0},
          rotation_about(Vec3<double>{0, 0, marker.angle}),
          drawn.geometry,
          mesh_of(drawn.geometry)};
}

Drawing placed(const Model& model, const space::Drawn& drawn) {
  const space::Marker& marker = model.space_markers()[static_cast<std::size_t>(drawn.on.marker)];
  return {drawn.name, marker.block, marker.position, marker.rotation, drawn.geometry, mesh_of(drawn.geometry)};
}

template <class Element>
void append_drawings(const Model& model, std::vector<Drawing>& drawings) {
  for (const ModelArray& array : model.arrays()) {
    if (&array.elements->info() != &Element::info()) continue;
    for (Index e = 0; e < array.elements->size(); ++e)
      drawings.push_back(placed(model, *static_cast<const Element*>(array.elements->element(e))));
  }
}

}  // namespace

std::vector<Drawing> drawings_of(const Model& model) {
  std::vector<Drawing> drawings;
  append_drawings<Drawn>(model, drawings);
  append_drawings<space::Drawn>(model, drawings);
  return drawings;
}

}  // namespace stillpoint
