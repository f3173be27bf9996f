// Meshes of one tetrahedron in each format, held against its volume and area.

#include "stillpoint/triangle_mesh.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>

#include "support/error_texts.h"
#include "support/scratch_folder.h"

using namespace stillpoint;

namespace {

constexpr const char* tetrahedron_obj = R"(# corners at the origin and one along each axis
o tetrahedron
v 0 0 0
v 1 0 0
v 0 1 0 1.0
v 0 0 +1
vn 0 0 -1
f 1 3 2
f 1//1 2//1 4//1
f 1/1/1 4/2/1 3/3/1   # to the left
f -3 -2 -1
)";

const float corners[4][3][3] = {{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}},
                                {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}},
                                {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}},
                                {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

std::string tetrahedron_stl_text() {
  std::string text = "solid tetrahedron\n";
  for (const auto& triangle : corners) {
    text += " facet normal 0 0 0\n  outer loop\n";
    for (const auto& p : triangle)
      text += "   vertex " + std::to_string(p[0]) + " " + std::to_string(p[1]) + " " + std::to_string(p[2]) + "\n";
    text += "  endloop\n endfacet\n";
  }
  return text + "endsolid tetrahedron\n";
}

std::string tetrahedron_stl_binary(float x = 0) {
  std::string bytes(80, 's');  // a head may begin like a text
  std::memcpy(bytes.data(), "solid", 5);
  const std::uint32_t count = 4;
  bytes.append(reinterpret_cast<const char*>(&count), sizeof count);
  for (const auto& triangle : corners) {
    const float normal[3] = {0, 0, 0};
    bytes.append(reinterpret_cast<const char*>(normal), sizeof normal);
    for (const auto& p : triangle) {
      const float moved[3] = {p[0] + x, p[1], p[2]};
      bytes.append(reinterpret_cast<const char*>(moved), sizeof moved);
    }
    bytes.append(2, '\0');
  }
  return bytes;
}

/// By the divergence theorem; positive if the faces are outward.
double volume_of(const TriangleMesh& mesh) {
  double volume = 0;
  for (const auto& face : mesh.faces) {
    const auto p = [&](std::size_t k) { return mesh.points[static_cast<std::size_t>(face[k])]; };
    volume += dot(p(0), cross(p(1), p(2))) / 6;
  }
  return volume;
}

std::string error_of_mesh(const ScratchFolder& folder, const std::string& name, const std::string& content) {
  folder.write(name, content);
  return error_of([&] { read_triangle_mesh(folder / name); });
}

}  // namespace

TEST_CASE("mesh: a tetrahedron has four points, four faces and a sixth of the cube in each format") {
  const ScratchFolder folder;
  folder.write("t.obj", tetrahedron_obj);
  folder.write("t.stl", tetrahedron_stl_text());
  folder.write("binary.STL", tetrahedron_stl_binary());
  for (const char* const name : {"t.obj", "t.stl", "binary.STL"}) {
    CAPTURE(name);
    const TriangleMesh mesh = read_triangle_mesh(folder / name);
    CHECK(mesh.points.size() == 4);
    CHECK(mesh.faces.size() == 4);
    CHECK(volume_of(mesh) == doctest::Approx(1.0 / 6).epsilon(1e-15));
  }
}

TEST_CASE("mesh: faces of more than three corners are fans") {
  const ScratchFolder folder;
  folder.write("square.obj", "v 0 0 1\nv 2 0 1\nv 2 2 1\nv 0 2 1\nf 1 2 3 4\n");
  const TriangleMesh mesh = read_triangle_mesh(folder / "square.obj");
  REQUIRE(mesh.faces.size() == 2);
  CHECK(volume_of(mesh) == doctest::Approx(4.0 / 3).epsilon(1e-15));  // the pyramid over it from the origin
}

TEST_CASE("mesh: what is wrong is told with the file and its line") {
  const ScratchFolder folder;
  CHECK(contains(error_of_mesh(folder, "a.obj", "v 0 0 0\nv 1 0\n"),
                 "a.obj:2:6: a vertex must be a finite number, not ''"));
  CHECK(contains(error_of_mesh(folder, "b.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n"),
                 "b.obj:4:7: a face names the vertex '4'; there are 3 above it"));
  CHECK(contains(error_of_mesh(folder, "c.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n"), "c.obj:3:6: a face has 2 corners"));
  CHECK(contains(error_of_mesh(folder, "d.obj", "v 0 0 nan\n"),
                 "d.obj:1:7: a vertex must be a finite number, not 'nan'"));
  CHECK(contains(error_of_mesh(folder, "e.obj", "v 0 0 0\n"), "has no triangles"));
  CHECK(contains(error_of_mesh(folder, "f.stl", "hello"), "is no STL file"));
  CHECK(contains(error_of_mesh(folder, "g.stl", "solid\nvertex 0 0 0\nvertex 1 0 0\nendloop\n"),
                 "g.stl:4:1: a triangle has 2 vertices"));
  CHECK(contains(error_of_mesh(folder, "h.stl", "solid\nvertex 0 0 0\n"), "the file ends within a triangle"));
  CHECK(contains(error_of_mesh(folder, "i.stl", tetrahedron_stl_binary(HUGE_VALF)), "triangle 1 is not finite"));
  CHECK(contains(error_of_mesh(folder, "k.stl", tetrahedron_stl_binary().substr(0, 200)), "is no STL file"));
  CHECK(contains(error_of_mesh(folder, "l.ply", "ply\n"), "a mesh must end in .stl or .obj"));
  CHECK(!error_of([&] { read_triangle_mesh(folder / "missing.stl"); }).empty());
}
