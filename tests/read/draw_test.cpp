// Shapes of model files that are drawn, and have no other effect.

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "stillpoint/check.h"
#include "stillpoint/drawings.h"
#include "stillpoint/model_family.h"
#include "support/error_texts.h"
#include "support/read/same_model.h"
#include "support/read/used_keys.h"
#include "support/scratch_folder.h"

using namespace stillpoint;

namespace {

constexpr const char* triangle_obj = "v 0 0 0\nv 1000 0 0\nv 0 1000 0\nf 1 2 3\n";

constexpr const char* plane_text = R"(stillpoint: 1
parameters: {l: 2}
mechanism:
  - body: crank
    at: 0, 0
    mass: 1
    inertia: 1
  - point: P
    at: 1, 0
    mass: 1
  - draw: cover
    on: crank(l/2, 0, 90*deg)
    box: l, 0.1
    color: '#4477aa'
  - draw:
    on: P
    sphere: 0.2
  - draw: bar
    on: crank
    cylinder: 0.05
    from: -l, 0
    to: l, 0
  - draw: link
    on: crank
    capsule: 0.04
    to: l, 0
  - draw: track
    on: ground
    polyline: 0, 0, 1, 0, 1, 1
    radius: 0.01
  - draw: plate
    on: ground(3, 4)
    mesh: triangle.obj
    scale: 0.001
)";

constexpr const char* space_text = R"(stillpoint: 1
dimension: 3
parameters: {l: 2}
mechanism:
  - body: crank
    at: 0, 0, 0
    mass: 1
    inertia: 1, 1, 1
  - draw: cover
    on: crank(l/2, 0, 0, 0, 0, 90*deg)
    box: l, 0.1, 0.2
    color: '#4477AA'
  - draw: ball
    on: crank
    sphere: 0.2
  - draw: bar
    on: crank
    cylinder: 0.05
    from: 0, 0, -l
    to: 0, 0, l
  - draw: link
    on: crank
    capsule: 0.04
    to: l, 0, 0
  - draw: wire
    on: ground
    polyline: 0, 0, 0, 1, 0, 0, 1, 1, 1
    radius: 0.01
  - draw: plate
    on: ground(3, 4, 5)
    mesh: triangle.obj
    scale: 0.001
)";

struct Workshop : ScratchFolder {
  Workshop() { write("triangle.obj", triangle_obj); }
  Model read(const std::string& text) const { return read_model(write("model.yaml", text)); }
};

/// What is said of a plane model with this entry, beside a body `b` and a point `P`.
std::string error_with(const Workshop& workshop, const std::string& entry) {
  return error_of(
      [&] { workshop.read("stillpoint: 1\nmechanism:\n  - body: b\n    at: 0, 0\n  - draw: d\n    on: b\n" + entry); });
}

}  // namespace

TEST_CASE("draw: every shape of a plane model is where it is said, with its numbers") {
  const Workshop workshop;
  const Model model = workshop.read(plane_text);
  const std::vector<Drawing> drawn = drawings_of(model);
  REQUIRE(drawn.size() == 6);
  CHECK(drawn[0].name == "cover");
  CHECK(drawn[0].geometry.shape == DrawnShape::box);
  CHECK(model.block_name(drawn[0].block) == "crank");
  CHECK(drawn[0].position.x == 1);
  // Turned by 90° about z.
  CHECK(drawn[0].rotation.w == doctest::Approx(std::cos(std::numbers::pi / 4)).epsilon(1e-15));
  CHECK(drawn[0].rotation.z == doctest::Approx(std::sin(std::numbers::pi / 4)).epsilon(1e-15));
  CHECK(drawn[0].geometry.sides.x == 2);
  CHECK(drawn[0].geometry.sides.y == 0.1);
  CHECK(drawn[0].geometry.sides.z == 0);
  CHECK(drawn[0].geometry.color == "#4477aa");
  CHECK(drawn[1].name == "");
  CHECK(drawn[1].geometry.radius == 0.2);
  CHECK(model.block_name(drawn[1].block) == "P");
  CHECK(drawn[2].geometry.shape == DrawnShape::cylinder);
  CHECK(drawn[2].geometry.from.x == -2);
  CHECK(drawn[3].geometry.shape == DrawnShape::capsule);
  CHECK(drawn[3].geometry.from.x == 0);
  CHECK(drawn[3].geometry.to.x == 2);
  REQUIRE(drawn[4].geometry.points.size() == 3);
  CHECK(drawn[4].block == on_ground);
  CHECK(drawn[4].geometry.points[2].y == 1);
  CHECK(drawn[4].geometry.radius == 0.01);
  REQUIRE(drawn[5].mesh.points.size() == 3);
  CHECK(drawn[5].mesh.points[1].x == 1);  // 1000 mm
  CHECK(drawn[5].position.y == 4);
}

TEST_CASE("draw: every shape of a model in space is where it is said, with its numbers") {
  const Workshop workshop;
  const Model model = workshop.read(space_text);
  const std::vector<Drawing> drawn = drawings_of(model);
  REQUIRE(drawn.size() == 6);
  CHECK(drawn[0].geometry.sides.z == 0.2);
  CHECK(drawn[0].rotation.z == doctest::Approx(std::sin(std::numbers::pi / 4)).epsilon(1e-15));
  CHECK(drawn[2].geometry.from.z == -2);
  CHECK(drawn[4].geometry.points.size() == 3);
  CHECK(drawn[5].position.z == 5);
}

TEST_CASE("draw: the models of the claims above leave out no field") {
  for (const auto& [text, dimension] :
       {std::pair{plane_text, Dimension::plane}, std::pair{space_text, Dimension::space}}) {
    auto used = used_keys(text)["draw"];
    for (const EntryType& type : entry_types(dimension)) {
      if (type.info->keyword != "draw") continue;
      for (const Field& field : type.info->fields) CHECK_MESSAGE(used.contains(std::string(field.key)), field.key);
    }
  }
  CHECK(contains(model_schema(), "\"polyline\""));
  CHECK(contains(model_manual(), "### `draw`"));
}

TEST_CASE("draw: a shape changes nothing of the mechanics, and is no warning") {
  const Workshop workshop;
  for (const std::string text : {plane_text, space_text}) {
    const Model with = workshop.read(text);
    const Model without = workshop.read(text.substr(0, text.find("  - draw: cover")));
    check_same_matrices(with, without);
    CHECK(with.coordinates() == without.coordinates());
    CHECK(with.outputs() == 0);
    CHECK(check_model(with).warnings == check_model(without).warnings);
  }
}

TEST_CASE("draw: repetitions and parameters give each shape its own numbers") {
  const ModelFamily family = ModelFamily::from_text(
      "stillpoint: 1\nparameters: {r: 0.1}\nmechanism:\n  - for: i in 1..3\n    do:\n      - point: P[i]\n"
      "        at: i, 0\n        mass: 1\n      - draw: ball[i]\n        on: P[i]\n        sphere: r*i\n",
      "balls");
  const std::vector<Drawing> drawn = drawings_of(family.at({{"r", 2}}));
  REQUIRE(drawn.size() == 3);
  CHECK(drawn[2].name == "ball[3]");
  CHECK(drawn[2].geometry.radius == 6);
  CHECK(drawings_of(family.at()).at(0).geometry.radius == 0.1);
}

TEST_CASE("draw: what is wrong is told with its line, what was found and what is allowed") {
  const Workshop workshop;
  const auto says = [&](const std::string& entry, const std::string& place, const std::string& words) {
    const std::string error = error_with(workshop, entry);
    CAPTURE(entry);
    CHECK_MESSAGE(contains(error, "model.yaml:" + place + ": draw 'd'"), error);
    CHECK_MESSAGE(contains(error, words), error);
  };
  says("", "5:11", "has 0 shapes; it must have exactly one: box, sphere, cylinder, capsule, polyline or mesh");
  says("    box: 1, 1\n    sphere: 1\n", "5:11", "has 2 shapes");
  says("    box: 1, -1\n", "7:10", "box is -1; a side must be positive");
  says("    sphere: 0\n", "7:13", "sphere is 0; the radius must be positive");
  says("    cylinder: 0.1\n", "7:15", "cylinder needs to beside it");
  says("    capsule: 0.1\n    to: 0, 0\n", "8:9", "to is where from is; the axis must have a length");
  says("    sphere: 1\n    to: 1, 0\n", "8:9", "to needs cylinder or capsule beside it");
  says("    sphere: 1\n    scale: 2\n", "8:12", "scale needs mesh beside it");
  says("    sphere: 1\n    radius: 2\n", "8:13", "radius needs polyline beside it");
  says("    polyline: 0, 0, 1, 1\n    radius: -2\n", "8:13", "radius is -2; the radius must be positive");
  says("    sphere: 1\n    color: blue\n", "8:12", "color is 'blue'; it must be like '#4477aa'");
  says("    mesh: part.ply\n", "7:11", "it must end in .stl or .obj");
  says("    mesh: part.stl\n", "7:11", "there is no file '");
  says("    mesh: triangle.obj\n    scale: 0\n", "8:12", "scale is 0; the scale must be positive");
  // A '#' without quotes begins a comment.
  CHECK(contains(error_with(workshop, "    sphere: 1\n    color: #4477aa\n"), "is empty: its colour in quotes"));
  CHECK(contains(error_with(workshop, "    polyline: 0, 0, 1\n"), "'polyline' of draw 'd' has 3 values; it needs 4"));
  CHECK(contains(error_with(workshop, "    ball: 1\n"), "the key 'ball' is unknown in draw 'd'"));
}

TEST_CASE("draw: a mesh that cannot be read is a warning of check, with its file and line") {
  const Workshop workshop;
  workshop.write("broken.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n");
  const Model model = workshop.read(
      "stillpoint: 1\nmechanism:\n  - point: P\n    at: 0, 0\n    mass: 1\n  - draw: d\n    on: P\n"
      "    mesh: broken.obj\n");
  const std::vector<std::string> warnings = check_model(model).warnings;
  REQUIRE(!warnings.empty());
  CHECK(contains(warnings.back(), "broken.obj:4:7: a face names the vertex '9'; there are 3 above it"));
}
