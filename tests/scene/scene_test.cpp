// The skeleton of a model: what is drawn where, and as which shape.

#include "stillpoint/scene.h"

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "formats/gzip.h"
#include "scene/hull.h"
#include "stillpoint/elements/all.h"
#include "support/case_runs.h"

using namespace stillpoint;
using Json = nlohmann::ordered_json;

namespace {

Scene scene_at_rest(const Model& model) { return scene_of(model, find_equilibrium(model).state); }

Scene scene_of_case(const std::string& name) {
  return scene_at_rest(read_model((cases::root() / "cases" / name).string()));
}

const SceneElement& element_called(const Scene& scene, const std::string& name) {
  for (const SceneElement& element : scene.elements)
    if (element.name == name) return element;
  FAIL("no element is called ", name);
  return scene.elements[0];
}

double number_called(const SceneElement& element, const std::string& name) {
  for (const auto& [key, value] : element.numbers)
    if (key == name) return value;
  FAIL(element.name, " has no ", name);
  return 0;
}

}  // namespace

TEST_CASE("scene: a linkage of points has its rods, springs and joints to the ground") {
  const Scene scene = scene_of_case("four_bar");
  CHECK(scene.dimension == 2);
  REQUIRE(scene.frames.size() == 2);
  CHECK(scene.frames[0].name == "B[0]");
  CHECK(scene.frames[0].kind == SceneFrame::Kind::point);
  const SceneElement& crank = element_called(scene, "crank[0]");
  CHECK(crank.kind == "rod");
  CHECK(crank.role == SceneRole::link);
  CHECK(crank.holds == SceneHold::distance);
  REQUIRE(crank.places.size() == 2);
  CHECK(crank.places[0].frame == on_ground);
  CHECK(crank.places[1].frame == 0);
  const SceneElement& spring = element_called(scene, "diagonal[1]");
  CHECK(spring.role == SceneRole::spring);
  // Tension is stiffness times elongation.
  const double length_now = length(scene.frames[1].position - Vec3<double>{0, 0, 0});
  CHECK(number_called(spring, "force") == doctest::Approx(25 * (length_now - std::sqrt(2.0))).epsilon(1e-9));
}

TEST_CASE("scene: a rod that carries a weight is in tension, and a hinge holds it up") {
  ModelBuilder build("weights");
  build.gravity({0, -10, 0});
  const auto bob = build.point("bob", {0, -1}, {.mass = 2});
  build.add("rod", Distance{.a = ground, .b = bob, .length = 1});
  const auto bar = build.body("bar", {0, -0.5}, {.mass = 3, .inertia = 0.25});
  build.add("hinge", Revolute{ground, build.marker("top", bar, {0, 0.5})});
  const Scene scene = scene_at_rest(build.model());
  CHECK(number_called(element_called(scene, "rod"), "force") == doctest::Approx(20));
  const SceneElement& hinge = element_called(scene, "hinge");
  REQUIRE(hinge.reaction);
  CHECK(hinge.reaction->y == doctest::Approx(30));
}

TEST_CASE("scene: every element with a place is drawn, on all cases, and every place is on a frame") {
  for (const auto& folder : cases::case_folders()) {
    if (!std::filesystem::exists(folder / "model.yaml")) continue;
    INFO(folder.filename().string());
    const Model model = read_model(folder.string());
    const Scene scene = scene_at_rest(model);
    CHECK(scene.size > 0);
    CHECK(std::isfinite(scene.size));
    for (const SceneElement& element : scene.elements) {
      INFO(element.kind, " ", element.name);
      CHECK_FALSE(element.name.empty());
      CHECK((element.role == SceneRole::other || element.role == SceneRole::measure ||
             element.role == SceneRole::torsion || !element.places.empty()));
      for (const ScenePlace& place : element.places) {
        CHECK(place.frame >= on_ground);
        CHECK(place.frame < static_cast<Index>(scene.frames.size()));
      }
      if (element.holds != SceneHold::none) CHECK(element.places.size() >= 2);
      if (element.holds == SceneHold::line || element.holds == SceneHold::plane) CHECK(element.axis.has_value());
      if (element.role == SceneRole::force) CHECK(element.vector.has_value());
      if (element.kind == "beam" || element.kind == "floating_beam") CHECK(element.tangents.size() == 2);
    }
    // Something is there to be seen.
    CHECK((!scene.primitives.empty() || !scene.elements.empty()));
  }
}

TEST_CASE("scene: a uniform bar on a hinge reaches to its other end, a bob has a stem") {
  const auto hanging = [](double inertia) {
    ModelBuilder build("bar");
    build.gravity({0, -9.81, 0});
    const auto bar = build.body("bar", {0, -0.5}, {.mass = 3, .inertia = inertia});
    build.add("hinge", Revolute{ground, build.marker("top", bar, {0, 0.5})});
    return scene_at_rest(build.model());
  };
  const Scene uniform = hanging(3 * 1.0 / 12);
  REQUIRE(uniform.primitives.size() == 1);
  CHECK(uniform.primitives[0].kind == SceneShape::capsule);
  CHECK(uniform.primitives[0].points[1].y == doctest::Approx(-0.5));
  const Scene stout = hanging(3 * 0.02);
  REQUIRE(stout.primitives.size() == 2);
  CHECK(stout.primitives[0].points[1].y == doctest::Approx(0));
  CHECK(stout.primitives[1].kind == SceneShape::ellipsoid);
  CHECK(stout.primitives[1].half.x == doctest::Approx(std::sqrt(2 * 0.02)));  // of a disc, I = m r² / 2
}

TEST_CASE("scene: a free body in space is the ellipsoid of its inertia") {
  ModelBuilder build("stone");
  const double a = 0.3, b = 0.2, c = 0.1, m = 2;
  build.space_body("stone", {0, 0, 0},
                   {.mass = m, .inertia = {m / 5 * (b * b + c * c), m / 5 * (a * a + c * c), m / 5 * (a * a + b * b)}});
  const Scene scene = scene_at_rest(build.model());
  REQUIRE(scene.primitives.size() == 1);
  std::array half{scene.primitives[0].half.x, scene.primitives[0].half.y, scene.primitives[0].half.z};
  std::sort(half.begin(), half.end());
  CHECK(half[0] == doctest::Approx(c));
  CHECK(half[1] == doctest::Approx(b));
  CHECK(half[2] == doctest::Approx(a));
}

TEST_CASE("scene: three joints make a triangle, turned counter-clockwise") {
  ModelBuilder build("plate");
  const auto plate = build.body("plate", {0, 0}, {.mass = 1, .inertia = 0.1});
  int number = 0;
  for (const Vec2<double> corner : {Vec2<double>{0, 0}, {1, 0}, {0.2, 0.8}}) {
    const std::string name = "k" + std::to_string(number++);
    build.add(name,
              Spring{.a = ground, .b = build.marker("m" + name, plate, corner), .stiffness = 10, .free_length = 0});
  }
  const Scene scene = scene_at_rest(build.model());
  REQUIRE(scene.primitives.size() == 1);
  const std::vector<Vec3<double>>& p = scene.primitives[0].points;
  REQUIRE(p.size() == 3);
  CHECK(cross(p[1] - p[0], p[2] - p[0]).z > 0);
}

TEST_CASE("hull: a cube with points inside has twelve triangles outward, and a square two on each side") {
  std::vector<Vec3<double>> points{{0.5, 0.5, 0.5}, {0.5, 0.5, 0}};
  for (const double x : {0.0, 1.0})
    for (const double y : {0.0, 1.0})
      for (const double z : {0.0, 1.0}) points.push_back({x, y, z});
  const auto faces = hull_faces(points, 1e-9);
  CHECK(faces.size() == 12);
  double volume = 0;
  for (const auto& [i, j, k] : faces) {
    const auto at = [&](Index p) { return points[static_cast<std::size_t>(p)]; };
    volume += dot(at(i), cross(at(j), at(k))) / 6;  // theorem of Gauss: positive if all are outward
  }
  CHECK(volume == doctest::Approx(1));
  CHECK(hull_faces({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, 1e-9).size() == 4);
  CHECK(hull_faces({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, 1e-9).empty());
}

TEST_CASE("scene: names from a model are text in JSON, and arrays come back as they were stored") {
  ModelBuilder build("<script>alert(1)</script>");
  build.gravity({0, -9.81, 0});
  const auto bob = build.point("B", {0, -1}, {.mass = 1});
  build.add("rod", Distance{.a = ground, .b = bob, .length = 1});
  const Model model = build.model();
  const Equilibrium rest = find_equilibrium(model);
  Scene scene = scene_of(model, rest.state);
  Eigen::VectorXcd shape(2);
  shape << 1, 0;
  scene.motions = mode_motions(scene, model, rest, {{1, {0, 3}, shape}});
  const Json json = Json::parse(to_json(scene));
  CHECK(json.at("schema") == "stillpoint.scene/1");
  CHECK(json.at("model").at("name") == "<script>alert(1)</script>");
  const Json& motion = json.at("motions").at(0);
  const std::vector<double> values = unpacked(motion.at("values"));
  const ModeMotion& stored = scene.motions[0];
  REQUIRE(values.size() == stored.values.size());
  for (std::size_t k = 0; k < values.size(); ++k)
    CHECK(values[k] == doctest::Approx(stored.values[k] * stored.scale[k]).epsilon(1e-6));
}

TEST_CASE("scene: scalars alone stand in a row, and slide or turn") {
  ModelBuilder build("drive");
  build.scalar("first", 0.2, {.mass = 1});
  build.scalar("second", 0.3, {.mass = 2, .unit = "rad"});
  build.add("one", ScalarSpring{.of = build.coordinate("first"), .stiffness = 10});
  build.add("other", ScalarSpring{.of = build.coordinate("second"), .stiffness = 10});
  const Model model = build.model();
  const Scene scene = scene_of(model, model.initial_state());
  CHECK(scene.is_schematic);
  REQUIRE(scene.frames.size() == 2);
  CHECK(scene.frames[0].kind == SceneFrame::Kind::scalar);
  CHECK(scene.frames[0].position.y == 0.2);
  CHECK(scene.frames[1].position.x == 1);
  CHECK(scene.frames[1].position.y == 0);
  CHECK(scene.frames[1].rotation.z == doctest::Approx(std::sin(0.15)));
  CHECK(scene.frames[1].mass == 2);
}

TEST_CASE("scene: a body that the model file draws has these shapes and no others") {
  const Model model = read_model_text(
      "stillpoint: 1\n"
      "name: drawn\n"
      "gravity: 0, -9.81\n"
      "mechanism:\n"
      "  - body: bar\n"
      "    at: 0, -1\n"
      "    mass: 1\n"
      "    inertia: 0.1\n"
      "  - marker: top\n"
      "    on: bar\n"
      "    at: 0, 1\n"
      "  - revolute: hinge\n"
      "    between: ground, top\n"
      "  - draw: block\n"
      "    on: bar\n"
      "    box: 0.2, 0.6\n"
      "    color: '#aa3311'\n",
      "drawn.yaml");
  const Scene scene = scene_at_rest(model);
  REQUIRE(scene.primitives.size() == 1);
  const ScenePrimitive& box = scene.primitives[0];
  CHECK(box.kind == SceneShape::box);
  CHECK(box.half.y == doctest::Approx(0.3));
  const Json json = Json::parse(to_json(scene)).at("primitives").at(0);
  CHECK(json.at("color") == "#aa3311");
  CHECK(json.at("from") == "file");
  CHECK(json.at("name") == "block");
  for (const SceneElement& element : scene.elements) CHECK(element.kind != "draw");
}
