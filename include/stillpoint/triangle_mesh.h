// Triangle meshes from files, for pictures: STL, as text or binary, and OBJ.
//
//   const TriangleMesh mesh = read_triangle_mesh("housing.stl");
//
// Coordinates have the unit of the file, which neither format states; vertices of STL that are equal in all bits are
// one. Of OBJ the vertices and faces are taken; faces of more than three corners are divided into fans.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "stillpoint/authoring/vec3.h"
#include "stillpoint/sparse.h"

namespace stillpoint {

struct TriangleMesh {
  std::vector<Vec3<double>> points;
  std::vector<std::array<Index, 3>> faces;  ///< outward by the right-hand rule, if the file keeps it
};

/// Whether a path has the ending of a mesh: .stl or .obj, in any case.
bool has_mesh_ending(const std::string& path);

/// Throws Error with the file, and its line where there are lines, for a file that cannot be read, is longer than 256
/// MB, or is no mesh.
TriangleMesh read_triangle_mesh(const std::string& path);

}  // namespace stillpoint
