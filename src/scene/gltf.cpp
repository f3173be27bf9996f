// A scene as glTF 2.0 (the specification 2.0.1 of the Khronos Group), with all buffers inside the file.
//
// Everything that is drawn is a unit mesh under a node with translation, rotation and scale, so that an animation of
// these moves it. Bodies move with their frames; rods and springs are cylinders between two places, whose nodes are
// turned and stretched. The axis z of a scene is up in space; in glTF it is y, which the root node turns.

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>

#include "base/at.h"
#include "formats/gzip.h"
#include "scene/frames.h"
#include "scene/hull.h"
#include "stillpoint/version.h"

namespace stillpoint {

namespace {

using Json = nlohmann::ordered_json;
using std::numbers::pi;

constexpr int around = 20;      // sides of a round shape
constexpr int samples = 48;     // of a period of an animation
constexpr int pieces = 8;       // of a beam
constexpr double thin = 0.006;  // radius of rods, relative to the size
constexpr int array_buffer = 34962, element_buffer = 34963, floats = 5126, indices = 5125;  // names in glTF

struct Mesh {
  std::vector<Vec3<double>> points, normals;
  std::vector<std::uint32_t> corners;

  void quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    for (const std::uint32_t corner : {a, b, c, a, c, d}) corners.push_back(corner);
  }
};

Mesh unit_sphere() {
  Mesh mesh;
  const int rings = around / 2;
  for (int i = 0; i <= rings; ++i) {
    for (int k = 0; k <= around; ++k) {
      const double down = pi * i / rings, turn = 2 * pi * k / around;
      const Vec3<double> p{std::sin(down) * std::cos(turn), std::sin(down) * std::sin(turn), std::cos(down)};
      mesh.points.push_back(p);
      mesh.normals.push_back(p);
    }
  }
  for (int i = 0; i < rings; ++i) {
    for (int k = 0; k < around; ++k) {
      const auto a = static_cast<std::uint32_t>(i * (around + 1) + k), below = static_cast<std::uint32_t>(around + 1);
      mesh.quad(a, a + below, a + below + 1, a + 1);
    }
  }
  return mesh;
}

/// Of radius 1 along z from 0 to 1, with both ends.
Mesh unit_cylinder() {
  Mesh mesh;
  for (int k = 0; k <= around; ++k) {
    const double turn = 2 * pi * k / around;
    for (const double z : {0.0, 1.0}) {
      mesh.points.push_back({std::cos(turn), std::sin(turn), z});
      mesh.normals.push_back({std::cos(turn), std::sin(turn), 0});
    }
  }
  for (std::uint32_t k = 0; k < around; ++k) mesh.quad(2 * k, 2 * k + 2, 2 * k + 3, 2 * k + 1);
  for (const double z : {0.0, 1.0}) {
    const auto middle = static_cast<std::uint32_t>(mesh.points.size());
    mesh.points.push_back({0, 0, z});
    mesh.normals.push_back({0, 0, 2 * z - 1});
    for (int k = 0; k <= around; ++k) {
      mesh.points.push_back({std::cos(2 * pi * k / around), std::sin(2 * pi * k / around), z});
      mesh.normals.push_back({0, 0, 2 * z - 1});
    }
    for (std::uint32_t k = 1; k <= around; ++k) {
      const std::uint32_t one = middle + k, next = middle + k + 1;
      for (const std::uint32_t corner : {middle, z > 0 ? one : next, z > 0 ? next : one})
        mesh.corners.push_back(corner);
    }
  }
  return mesh;
}

/// Triangles with a normal each.
Mesh faceted(const std::vector<Vec3<double>>& points, const std::vector<std::array<Index, 3>>& faces) {
  Mesh mesh;
  for (const auto& face : faces) {
    const Vec3<double> a = points[at(face[0])], b = points[at(face[1])], c = points[at(face[2])];
    const Vec3<double> across = cross(b - a, c - a);
    const double size = length(across);
    for (const Vec3<double>& p : {a, b, c}) {
      mesh.corners.push_back(static_cast<std::uint32_t>(mesh.points.size()));
      mesh.points.push_back(p);
      mesh.normals.push_back(size > 0 ? (1 / size) * across : Vec3<double>{0, 0, 1});
    }
  }
  return mesh;
}

Mesh unit_box() {
  std::vector<Vec3<double>> corners;
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0})
      for (const double z : {-1.0, 1.0}) corners.push_back({x, y, z});
  return faceted(corners, hull_faces(corners, 1e-9));
}

/// Translation, rotation and scale of a node.
struct Placing {
  Vec3<double> translation;
  Rotation<double> rotation;
  Vec3<double> scale{1, 1, 1};
};

/// A unit cylinder between two points.
Placing between(const Vec3<double>& a, const Vec3<double>& b, double radius) {
  const Vec3<double> along = b - a;
  const double size = length(along);
  if (!(size > 0)) return {a, {}, {radius, radius, radius}};
  return {a, rotation_with((1 / size) * along), {radius, radius, size}};
}

/// Something whose node moves: as a function of the poses of all frames.
struct Moving {
  std::size_t node = 0;
  std::function<Placing(const std::vector<ScenePose>&)> placing;
};

Json three(const Vec3<double>& v) { return Json::array({v.x, v.y, v.z}); }
Json quaternion(const Rotation<double>& r) { return Json::array({r.x, r.y, r.z, r.w}); }

class GltfWriter {
 public:
  explicit GltfWriter(const Scene& scene) : scene_(scene) {
    json_["asset"] = {{"version", "2.0"}, {"generator", "stillpoint " + version()}};
    json_["scene"] = 0;
    for (const char* const list : {"scenes", "nodes", "meshes", "materials", "accessors", "bufferViews", "buffers"})
      json_[list] = Json::array();
    add_materials();
    // y is up in glTF, and z in a model in space; a model in the plane has y up already.
    Json root = {{"name", scene.name}, {"children", Json::array()}};
    if (scene.dimension == 3) root["rotation"] = Json::array({-std::sqrt(0.5), 0, 0, std::sqrt(0.5)});
    json_["nodes"].push_back(std::move(root));
    json_["scenes"].push_back({{"nodes", {0}}});
    for (const SceneFrame& frame : scene.frames) rest_.push_back({frame.position, frame.rotation});
    add_frames();
    for (const ScenePrimitive& shape : scene.primitives) add_primitive(shape);
    for (const SceneElement& element : scene.elements) add_element(element);
  }

  void animate(const ModeMotion& motion, double seconds) {
    std::vector<float> times;
    std::vector<std::vector<ScenePose>> poses;
    for (int k = 0; k <= samples; ++k) {
      const double phase = 2 * pi * k / samples;
      times.push_back(static_cast<float>(seconds * k / samples));
      poses.push_back(poses_at(scene_, motion, std::cos(phase),
                               motion.kind == ModeMotion::Kind::oscillating ? std::sin(phase) : 0.0));
    }
    const Json input = add_floats(times, "SCALAR", 1, 0);
    Json animation = {
        {"name", fmt::format("mode {}", motion.mode)}, {"channels", Json::array()}, {"samplers", Json::array()}};
    for (const Moving& moving : moving_) {
      std::vector<float> translations, rotations, scales;
      Rotation<double> before;
      for (const std::vector<ScenePose>& pose : poses) {
        Placing placing = moving.placing(pose);
        // Of the two quaternions of one rotation the one that is nearer to the last: viewers interpolate between them.
        const Rotation<double>& r = placing.rotation;
        if (before.w * r.w + before.x * r.x + before.y * r.y + before.z * r.z < 0)
          placing.rotation = {-r.w, -r.x, -r.y, -r.z};
        before = placing.rotation;
        append(translations, {placing.translation.x, placing.translation.y, placing.translation.z});
        append(rotations, {placing.rotation.x, placing.rotation.y, placing.rotation.z, placing.rotation.w});
        append(scales, {placing.scale.x, placing.scale.y, placing.scale.z});
      }
      add_channel(animation, moving.node, "translation", input, add_floats(translations, "VEC3", 3, 0));
      add_channel(animation, moving.node, "rotation", input, add_floats(rotations, "VEC4", 4, 0));
      add_channel(animation, moving.node, "scale", input, add_floats(scales, "VEC3", 3, 0));
    }
    if (!moving_.empty()) json_["animations"].push_back(std::move(animation));
  }

  std::string finish() {
    json_["buffers"].push_back(
        {{"byteLength", bytes_.size()}, {"uri", "data:application/octet-stream;base64," + base64(bytes_)}});
    return json_.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }

 private:
  static void append(std::vector<float>& to, std::initializer_list<double> values) {
    for (const double value : values) to.push_back(static_cast<float>(value));
  }

  static void add_channel(Json& animation, std::size_t node, const char* path, const Json& input, const Json& output) {
    const std::size_t sampler = animation["samplers"].size();
    animation["samplers"].push_back({{"input", input}, {"output", output}, {"interpolation", "LINEAR"}});
    animation["channels"].push_back({{"sampler", sampler}, {"target", {{"node", node}, {"path", path}}}});
  }

  void add_materials() {
    const auto add = [&](const char* name, double r, double g, double b) {
      json_["materials"].push_back(
          {{"name", name},
           {"doubleSided", true},
           {"pbrMetallicRoughness",
            {{"baseColorFactor", {r, g, b, 1.0}}, {"metallicFactor", 0.1}, {"roughnessFactor", 0.7}}}});
    };
    add("body", 0.30, 0.45, 0.65);
    add("link", 0.35, 0.38, 0.42);
    add("spring", 0.80, 0.50, 0.15);
    add("beam", 0.30, 0.55, 0.45);
  }
  enum Material { body, link, spring, beam };

  Json add_view(const void* data, std::size_t size, int target) {
    while (bytes_.size() % 4 != 0) bytes_ += '\0';
    Json view = {{"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", size}};
    if (target != 0) view["target"] = target;
    bytes_.append(static_cast<const char*>(data), size);
    json_["bufferViews"].push_back(std::move(view));
    return json_["bufferViews"].size() - 1;
  }

  /// An accessor of floats; its bounds are required for positions and times.
  Json add_floats(const std::vector<float>& values, const char* type, std::size_t components, int target) {
    Json accessor = {{"bufferView", add_view(values.data(), values.size() * sizeof(float), target)},
                     {"componentType", floats},
                     {"count", values.size() / components},
                     {"type", type}};
    for (std::size_t c = 0; c < components; ++c) {
      float least = values[c], most = values[c];
      for (std::size_t k = c; k < values.size(); k += components) {
        least = std::min(least, values[k]);
        most = std::max(most, values[k]);
      }
      accessor["min"].push_back(least);
      accessor["max"].push_back(most);
    }
    json_["accessors"].push_back(std::move(accessor));
    return json_["accessors"].size() - 1;
  }

  std::size_t add_mesh(const std::string& name, const Mesh& mesh, Material material) {
    std::vector<float> points, normals;
    for (const Vec3<double>& p : mesh.points) append(points, {p.x, p.y, p.z});
    for (const Vec3<double>& n : mesh.normals) append(normals, {n.x, n.y, n.z});
    Json attributes = {{"POSITION", add_floats(points, "VEC3", 3, array_buffer)},
                       {"NORMAL", add_floats(normals, "VEC3", 3, array_buffer)}};
    json_["accessors"].push_back(
        {{"bufferView", add_view(mesh.corners.data(), mesh.corners.size() * sizeof(std::uint32_t), element_buffer)},
         {"componentType", indices},
         {"count", mesh.corners.size()},
         {"type", "SCALAR"}});
    json_["meshes"].push_back(
        {{"name", name},
         {"primitives",
          {{{"attributes", attributes}, {"indices", json_["accessors"].size() - 1}, {"material", material}}}}});
    return json_["meshes"].size() - 1;
  }

  std::size_t shared_mesh(const std::string& name, Material material, Mesh (*make)()) {
    const auto [found, is_new] = shared_.try_emplace({name, material}, 0);
    if (is_new) found->second = add_mesh(name, make(), material);
    return found->second;
  }
  std::size_t cylinder(Material material) { return shared_mesh("cylinder", material, unit_cylinder); }
  std::size_t sphere(Material material) { return shared_mesh("sphere", material, unit_sphere); }

  std::size_t add_node(std::size_t parent, const std::string& name, const Placing& placing,
                       std::optional<std::size_t> mesh = std::nullopt) {
    const std::size_t number = json_["nodes"].size();
    Json node = {{"name", name},
                 {"translation", three(placing.translation)},
                 {"rotation", quaternion(placing.rotation)},
                 {"scale", three(placing.scale)}};
    if (mesh) node["mesh"] = *mesh;
    json_["nodes"].push_back(std::move(node));
    json_["nodes"][parent]["children"].push_back(number);
    return number;
  }

  void add_moving(const std::string& name, std::function<Placing(const std::vector<ScenePose>&)> placing,
                  std::optional<std::size_t> mesh = std::nullopt) {
    const std::size_t node = add_node(0, name, placing(rest_), mesh);
    moving_.push_back({node, std::move(placing)});
  }

  /// The node of a frame is the one after its number.
  void add_frames() {
    for (std::size_t f = 0; f < scene_.frames.size(); ++f) {
      add_moving(scene_.frames[f].name, [f](const std::vector<ScenePose>& poses) {
        return Placing{poses[f].position, poses[f].rotation};
      });
    }
    for (std::size_t f = 0; f < scene_.frames.size(); ++f) {
      if (scene_.frames[f].kind == SceneFrame::Kind::point && scene_.frames[f].mass > 0)
        add_node(f + 1, "mass", ball({}, 2 * thin * scene_.size), sphere(body));
    }
  }

  static Placing ball(const Vec3<double>& centre, double radius) { return {centre, {}, {radius, radius, radius}}; }

  void add_primitive(const ScenePrimitive& shape) {
    const std::size_t parent = shape.frame < 0 ? 0 : at(shape.frame) + 1;
    const std::string name = shape.frame < 0 ? "ground" : scene_.frames[at(shape.frame)].name;
    switch (shape.kind) {
      case SceneShape::capsule:
      case SceneShape::cylinder:
        add_node(parent, name, between(shape.points[0], shape.points[1], shape.radius), cylinder(body));
        if (shape.kind == SceneShape::cylinder) return;
        for (const Vec3<double>& end : shape.points) add_node(parent, name, ball(end, shape.radius), sphere(body));
        return;
      case SceneShape::sphere:
        add_node(parent, name, ball(shape.points[0], shape.radius), sphere(body));
        return;
      case SceneShape::ellipsoid: {
        // A disc of the plane gets a small thickness.
        const double flat = std::max(shape.half.z, 0.2 * thin * scene_.size);
        add_node(parent, name, {shape.points[0], shape.rotation, {shape.half.x, shape.half.y, flat}}, sphere(body));
        return;
      }
      case SceneShape::box:
        add_node(parent, name, {shape.points[0], shape.rotation, shape.half}, shared_mesh("box", body, unit_box));
        return;
      case SceneShape::polyline:
        for (std::size_t k = 1; k < shape.points.size(); ++k)
          add_node(parent, name, between(shape.points[k - 1], shape.points[k], shape.radius), cylinder(body));
        return;
      case SceneShape::hull:
      case SceneShape::mesh:
        add_solid(parent, name, shape);
    }
  }

  /// A polygon of the plane becomes a plate.
  void add_solid(std::size_t parent, const std::string& name, const ScenePrimitive& shape) {
    std::vector<Vec3<double>> points = shape.points;
    std::vector<std::array<Index, 3>> faces = shape.faces;
    if (scene_.dimension == 2 && shape.kind == SceneShape::hull) {
      points.clear();
      for (const Vec3<double>& p : shape.points)
        for (const double side : {-1.0, 1.0}) points.push_back({p.x, p.y, side * shape.radius});
      faces = hull_faces(points, 1e-9 * scene_.size);
    }
    if (!faces.empty()) add_node(parent, name, {}, add_mesh(name, faceted(points, faces), body));
  }

  void add_element(const SceneElement& element) {
    const double radius = thin * scene_.size;
    if (element.role == SceneRole::beam) return add_beam(element, radius);
    const bool is_between = element.role == SceneRole::link || element.role == SceneRole::spring ||
                            element.role == SceneRole::damper || element.role == SceneRole::actuator;
    if (!is_between || element.places.size() != 2) return;
    const bool is_link = element.role == SceneRole::link;
    const double thickness = is_link ? radius : radius / 2;
    add_moving(
        element.name,
        [places = element.places, thickness](const std::vector<ScenePose>& poses) {
          return between(place_in(poses, places[0]), place_in(poses, places[1]), thickness);
        },
        cylinder(is_link ? link : spring));
  }

  void add_beam(const SceneElement& element, double radius) {
    for (const auto& [i, j] : element.lines) {
      add_moving(
          element.name,
          [a = element.places[at(i)], b = element.places[at(j)], radius](const std::vector<ScenePose>& poses) {
            return between(place_in(poses, a), place_in(poses, b), radius);
          },
          cylinder(beam));
    }
    if (element.tangents.size() != 2) return;
    const auto point = [places = element.places, tangents = element.tangents](const std::vector<ScenePose>& poses,
                                                                              double t) {
      const Vec3<double> a = place_in(poses, places[0]), b = place_in(poses, places[1]);
      const Vec3<double> u = direction_in(poses, places[0].frame, tangents[0]);
      const Vec3<double> v = direction_in(poses, places[1].frame, tangents[1]);
      const double s = 1 - t;  // cubic Hermite polynomials
      return (s * s * (1 + 2 * t)) * a + (t * t * (1 + 2 * s)) * b + (t * s * s) * u - (t * t * s) * v;
    };
    for (int k = 0; k < pieces; ++k) {
      add_moving(
          element.name,
          [point, k, radius](const std::vector<ScenePose>& poses) {
            return between(point(poses, static_cast<double>(k) / pieces), point(poses, (k + 1.0) / pieces), radius);
          },
          cylinder(beam));
    }
  }

  const Scene& scene_;
  Json json_;
  std::string bytes_;
  std::vector<ScenePose> rest_;
  std::vector<Moving> moving_;
  std::map<std::pair<std::string, Material>, std::size_t> shared_;
};

}  // namespace

std::string to_gltf(const Scene& scene, const ModeMotion* motion, double seconds) {
  GltfWriter writer(scene);
  if (motion && motion->degree > 0) writer.animate(*motion, seconds);
  return writer.finish();
}

}  // namespace stillpoint
