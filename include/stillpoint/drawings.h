// The shapes that a model file draws on its bodies, with the meshes of their files.
//
//   for (const Drawing& drawing : drawings_of(model)) ... drawing.block, drawing.position, drawing.geometry
#pragma once

#include <string>
#include <vector>

#include "stillpoint/elements/drawing.h"
#include "stillpoint/model.h"
#include "stillpoint/triangle_mesh.h"

namespace stillpoint {

struct Drawing {
  std::string name;         ///< empty if the file gives none
  Index block = on_ground;  ///< what carries it: a body, point or node of the model, or the ground
  Vec3<double> position;    ///< of the axes of the geometry, in those of the block; in the plane z = 0
  Rotation<double> rotation;
  DrawnGeometry geometry;
  TriangleMesh mesh;  ///< of a mesh, scaled (m); empty otherwise
};

/// In the order of the file, those of the plane first. Throws Error, with the file and line, for a mesh that cannot be
/// read.
std::vector<Drawing> drawings_of(const Model& model);

}  // namespace stillpoint
