// glTF files: read back by a small reader that follows every reference and compares what it finds with the scene.

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "formats/gzip.h"
#include "scene/frames.h"
#include "stillpoint/report.h"
#include "stillpoint/scene.h"
#include "support/case_runs.h"

using namespace stillpoint;
using Json = nlohmann::json;

namespace {

/// A file with its buffer; every access is checked.
struct Gltf {
  Json json;
  std::string bytes;

  explicit Gltf(const std::string& text) : json(Json::parse(text)) {
    const std::string uri = json.at("buffers").at(0).at("uri");
    const std::string head = "data:application/octet-stream;base64,";
    REQUIRE(uri.starts_with(head));
    bytes = from_base64(uri.substr(head.size()));
    REQUIRE(bytes.size() == json.at("buffers").at(0).at("byteLength").get<std::size_t>());
  }

  std::size_t components(const std::string& type) const { return type == "SCALAR" ? 1 : type == "VEC3" ? 3 : 4; }

  template <class Number>
  std::vector<double> numbers(const Json& accessor) const {
    const Json& view = json.at("bufferViews").at(accessor.at("bufferView").get<std::size_t>());
    const std::size_t count = accessor.at("count").get<std::size_t>() * components(accessor.at("type"));
    const std::size_t offset = view.at("byteOffset");
    REQUIRE(view.at("byteLength").get<std::size_t>() == count * sizeof(Number));
    REQUIRE(offset + count * sizeof(Number) <= bytes.size());
    CHECK(offset % 4 == 0);
    std::vector<Number> raw(count);
    std::memcpy(raw.data(), bytes.data() + offset, count * sizeof(Number));
    return {raw.begin(), raw.end()};
  }
  std::vector<double> accessed(std::size_t number) const {
    const Json& accessor = json.at("accessors").at(number);
    const int type = accessor.at("componentType");
    REQUIRE((type == 5126 || type == 5125));
    return type == 5126 ? numbers<float>(accessor) : numbers<std::uint32_t>(accessor);
  }

  void check_meshes() const {
    CHECK(json.at("asset").at("version") == "2.0");
    for (const Json& mesh : json.at("meshes")) {
      for (const Json& part : mesh.at("primitives")) {
        const auto points = accessed(part.at("attributes").at("POSITION")),
                   normals = accessed(part.at("attributes").at("NORMAL"));
        const auto corners = accessed(part.at("indices"));
        CHECK(points.size() == normals.size());
        CHECK(corners.size() % 3 == 0);
        for (const double corner : corners) REQUIRE(corner < static_cast<double>(points.size() / 3));
        CHECK(part.at("material").get<std::size_t>() < json.at("materials").size());
        const Json& position = json.at("accessors").at(part.at("attributes").at("POSITION").get<std::size_t>());
        CHECK(position.at("min").size() == 3);  // the specification requires bounds of positions
      }
    }
  }

  void check_nodes() const {
    std::vector<int> parents(json.at("nodes").size(), 0);
    for (const Json& node : json.at("nodes")) {
      if (node.contains("mesh")) CHECK(node.at("mesh").get<std::size_t>() < json.at("meshes").size());
      if (!node.contains("children")) continue;
      for (const std::size_t child : node.at("children").get<std::vector<std::size_t>>()) ++parents.at(child);
    }
    CHECK(parents[0] == 0);
    for (std::size_t k = 1; k < parents.size(); ++k) CHECK(parents[k] == 1);
  }
};

Scene moving_scene(const std::string& name) {
  const Model model = read_model((cases::root() / "cases" / name).string());
  const Equilibrium rest = find_equilibrium(model);
  const AnalysisCase analysis{linearize(model, rest), model, rest};
  const ModesReport report = report_modes(analysis);
  Scene scene = scene_of(model, rest.state);
  scene.motions = mode_motions(scene, model, rest, shapes_to_draw(report.result.spectrum.modes, 3));
  return scene;
}

}  // namespace

TEST_CASE("gltf: meshes and nodes are complete, on all cases") {
  for (const auto& folder : cases::case_folders()) {
    if (!std::filesystem::exists(folder / "model.yaml")) continue;
    INFO(folder.filename().string());
    const Model model = read_model(folder.string());
    const Gltf file(to_gltf(scene_of(model, find_equilibrium(model).state)));
    file.check_meshes();
    file.check_nodes();
    CHECK_FALSE(file.json.contains("animations"));
  }
}

TEST_CASE("gltf: the animation has the poses of the mode, and ends where it began") {
  for (const char* const name : {"crank_rocker", "spatial_double_pendulum", "flexible_double_pendulum"}) {
    INFO(name);
    const Scene scene = moving_scene(name);
    const ModeMotion& motion = scene.motions[0];
    const Gltf file(to_gltf(scene, &motion, 4));
    file.check_nodes();
    const Json& animation = file.json.at("animations").at(0);
    std::size_t compared = 0;
    for (const Json& channel : animation.at("channels")) {
      const Json& sampler = animation.at("samplers").at(channel.at("sampler").get<std::size_t>());
      const auto times = file.accessed(sampler.at("input")), values = file.accessed(sampler.at("output"));
      CHECK(times.front() == 0);
      CHECK(times.back() == 4);
      const std::size_t width = values.size() / times.size();
      for (std::size_t c = 0; c < width; ++c)
        CHECK(std::abs(values[c] - values[values.size() - width + c]) <= 1e-6 * scene.size);
      const std::size_t node = channel.at("target").at("node");
      if (node == 0 || node > scene.frames.size() || channel.at("target").at("path") != "translation") continue;
      ++compared;
      for (std::size_t k = 0; k < times.size(); ++k) {
        const double phase = 2 * 3.14159265358979 * times[k] / 4;
        const double b = motion.kind == ModeMotion::Kind::oscillating ? std::sin(phase) : 0;
        const Vec3<double> expected = poses_at(scene, motion, std::cos(phase), b)[node - 1].position;
        // Single precision.
        CHECK(std::abs(values[3 * k] - expected.x) <= 1e-5 * scene.size);
        CHECK(std::abs(values[3 * k + 1] - expected.y) <= 1e-5 * scene.size);
        CHECK(std::abs(values[3 * k + 2] - expected.z) <= 1e-5 * scene.size);
      }
    }
    CHECK(compared == scene.frames.size());
  }
}

TEST_CASE("gltf: a rod joins its two places") {
  const Scene scene = moving_scene("four_bar");
  const Gltf file(to_gltf(scene));
  for (const Json& node : file.json.at("nodes")) {
    if (node.at("name") != "crank[0]") continue;
    CHECK(node.at("scale").at(2).get<double>() == doctest::Approx(1));
    CHECK(node.at("translation").at(0).get<double>() == doctest::Approx(0));
    return;
  }
  FAIL("there is no rod");
}
