// Good models: what is read from a file equals what is built in C++, element by element and bit by bit.

#include "stillpoint/read_model.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <span>

#include "read/tree.h"
#include "stillpoint/assembly.h"
#include "stillpoint/elements/all.h"
#include "support/read/provoke.h"
#include "support/read/same_model.h"
#include "support/read/used_keys.h"
#include "support/scratch_folder.h"

using namespace stillpoint;

namespace {

constexpr double deg = std::numbers::pi / 180;

Model read(const std::string& mechanism, const Parameters& parameters = {}) {
  return read_model_text("stillpoint: 1\n" + mechanism, "file", parameters);
}

// ---------------------------------------------------------------------------------------------------------------------

constexpr const char* everything = R"(stillpoint: 1
name: everything
description: every kind of entry with every field
parameters:
  a: 0.3
  b: {value: 2*a + 1, min: a, max: 10, integer: false, unit: m, help: derived from a}
gravity: a, -9.81
mechanism:
  - fixed: F
    at: 1, 2
    angle: 10*deg
  - point: P
    at: b, 0.5
    mass: 1.5
  - body: B
    at: 0, -1
    angle: -90*deg
    mass: 2
    inertia: 0.125
    centre: b/2, 0.05
  - scalar: s
    value: 0.7
    mass: 0.25
    unit: rad
  - input: u
    value: 0.4
    unit: N m
  - node: K
    on: B
    at: 0.4, 0.1
  - node: L
    on: B
    at: a, 0.9
  - marker: M
    on: B
    at: 0.1, 0.2
    angle: 30*deg
  - point_mass: bob
    at: P
    mass: 0.75
  - rigid_mass: lump
    at: M
    mass: 0.5
    inertia: 0.0625
  - scalar_mass: wheel
    coordinate: s
    mass: 0.375
  - rod: bar
    between: F, P
    length: 1.75
    mass: 3
  - distance: strut
    between: B(0.5, 0), F
    length: 2.5
  - angle: swing
    of: s
    between: F, P
  - revolute: pin
    between: ground(0, -1), B
  - slider: slot
    slot: M
    pin: P
  - prismatic: rail
    between: ground, M
  - weld: seam
    between: F, B(1, 2, 3*deg)
  - coupling: gear
    coordinates: s, B.phi, P.x
    factors: 1, -2, 0.5
    value: 0.2
  - prescribed: drive
    coordinate: s
    input: u
  - spring: coil
    between: P, M
    stiffness: 25
    free_length: sqrt(2)
    damping: 0.8
    preload: true
  - damper: dash
    between: F, B
    damping: 1.25
  - torsion_spring: twist
    between: ground, B
    stiffness: 12
    free_angle: 0.1
    damping: 0.02
    preload: true
  - torsion_damper: friction
    between: B, s
    damping: 0.03
  - scalar_spring: return
    of: s
    against: B.phi
    stiffness: 3
    free_value: 0.2
    damping: 0.04
    preload: false
  - scalar_force: preload
    on: s
    against: B.phi
    magnitude: 0.6
    input: u
  - force: push
    at: B(0, 0.5)
    vector: 1, -2
    input: u
  - torque: motor
    on: B
    against: s
    magnitude: 1.5
    input: u
  - follower_force: thrust
    at: M
    vector: 0, 4
    input: u
  - actuator: cylinder
    between: F, B(0, 1)
    magnitude: 250
    input: u
  - beam: leaf
    between: F, B
    length: 1.5
    axial_stiffness: 1e6
    bending_stiffness: 20
    shear_stiffness: 4e5
    mass_per_length: 3
    rotary_inertia: 0.01
    damping: 0.2, 1e-3
  - floating_beam: rib
    between: K, L
    axial_stiffness: 2e6
    bending_stiffness: 30
    mass_per_length: 2
    rotary_inertia: 0.02
    damping: 0.3, 2e-3
  - clamp: root
    node: K
  - output: tip
    position: B(0, 1)
    axes: M
  - output: tip_velocity
    velocity: B(0, 1)
  - output: tip_acceleration
    acceleration: P
  - output: gap
    distance: P, M
  - output: lean
    angle: ground, B
  - output: spin
    rate: B
  - output: stroke
    coordinate: s
  - output: pull
    force: coil
  - output: bearing
    reaction: pin
    on: 1
    axes: B
)";

Model everything_built() {
  const double a = 0.3, b = 2 * a + 1;
  ModelBuilder build("everything");
  build.gravity({a, -9.81});
  const Place F = build.fixed("F", {1, 2}, 10 * deg);
  // The masses of points, bodies and scalars are stated as what they stand for.
  const Place P = build.point("P", {b, 0.5});
  build.add({}, PointMass{.at = P, .mass = 1.5});
  const Place B = build.body("B", {0, -1}, {.angle = -90 * deg});
  build.add({}, RigidMass{.centre = build.marker({}, B, {b / 2, 0.05}), .mass = 2, .moment = 0.125});
  const Place s = build.scalar("s", 0.7);
  build.add({}, ScalarMass{.coordinate = build.coordinate("s"), .mass = 0.25});
  const InputRef u = build.input("u", 0.4);
  const Place K = build.node("K", B, {0.4, 0.1}), L = build.node("L", B, {a, 0.9});
  const Place M = build.marker("M", B, {0.1, 0.2}, 30 * deg);
  const CoordinateOf q = build.coordinate("s"), phi = build.coordinate("B", "phi"), x = build.coordinate("P", "x");
  const auto on = [&](Place place, Vec2<double> at, double angle = 0) { return build.marker({}, place, at, angle); };

  build.add("bob", PointMass{.at = P, .mass = 0.75});
  build.add("lump", RigidMass{.centre = M, .mass = 0.5, .moment = 0.0625});
  build.add("wheel", ScalarMass{.coordinate = q, .mass = 0.375});
  build.add("bar", Rod{.a = F, .b = P, .length = 1.75, .mass = 3});
  build.add("strut", Distance{.a = on(B, {0.5, 0}), .b = F, .length = 2.5});
  build.add("swing", Angle{.angle = s, .from = F, .to = P});
  build.add("pin", Revolute{.a = on(ground, {0, -1}), .b = B});
  build.add("slot", Slider{.slot = M, .pin = P});
  build.add("rail", Prismatic{.a = ground, .b = M});
  build.add("seam", Weld{.a = F, .b = on(B, {1, 2}, 3 * deg)});
  build.add("gear", Coupling{.coordinates = {q, phi, x}, .factors = {1, -2, 0.5, unset, unset, unset}, .value = 0.2});
  build.add("drive", Prescribed{.coordinate = q, .input = u});
  build.add("coil",
            Spring{.a = P, .b = M, .stiffness = 25, .free_length = std::sqrt(2.0), .damping = 0.8, .preload = true});
  build.add("dash", Damper{.a = F, .b = B, .damping = 1.25});
  build.add("twist",
            TorsionSpring{.a = ground, .b = B, .stiffness = 12, .free_angle = 0.1, .damping = 0.02, .preload = true});
  build.add("friction", TorsionDamper{.a = B, .b = s, .damping = 0.03});
  build.add("return", ScalarSpring{.of = q, .against = phi, .stiffness = 3, .free_value = 0.2, .damping = 0.04});
  build.add("preload", ScalarForce{.on = q, .against = phi, .magnitude = 0.6, .input = u});
  build.add("push", Force{.at = on(B, {0, 0.5}), .vector = {1, -2}, .input = u});
  build.add("motor", Torque{.on = B, .against = s, .magnitude = 1.5, .input = u});
  build.add("thrust", FollowerForce{.at = M, .vector = {0, 4}, .input = u});
  build.add("cylinder", Actuator{.a = F, .b = on(B, {0, 1}), .magnitude = 250, .input = u});
  build.add("leaf", Beam{.a = F,
                         .b = B,
                         .length = 1.5,
                         .axial_stiffness = 1e6,
                         .bending_stiffness = 20,
                         .shear_stiffness = 4e5,
                         .mass_per_length = 3,
                         .rotary_inertia = 0.01,
                         .damping = {0.2, 1e-3}});
  build.add("rib", FloatingBeam{.nodes = {K.marker, L.marker},
                                .axial_stiffness = 2e6,
                                .bending_stiffness = 30,
                                .mass_per_length = 2,
                                .rotary_inertia = 0.02,
                                .damping = {0.3, 2e-3}});
  build.add("root", Clamp{.node = K});

  build.output("tip", PointMeasure{.at = on(B, {0, 1}), .axes = M});
  build.output("tip_velocity", PointMeasure{.at = on(B, {0, 1}), .what = PointMotion::velocity});
  build.output("tip_acceleration", PointMeasure{.at = P, .what = PointMotion::acceleration});
  build.output("gap", DistanceMeasure{.a = P, .b = M});
  build.output("lean", AngleMeasure{.of = B});
  build.output("spin", RateMeasure{.of = B});
  build.output("stroke", CoordinateMeasure{.coordinate = q});
  build.output_force("pull", build.force_ref("coil"));
  build.output_reaction("bearing", build.constraint_ref("pin"), 1, B);
  return build.model();
}

std::string as_json(const Tree& tree) {
  std::string text;
  const auto quoted = [](const std::string& word) { return '"' + word + '"'; };
  switch (tree.kind) {
    case Tree::Kind::empty:
      return "null";
    case Tree::Kind::text:
      return quoted(tree.text);
    case Tree::Kind::list:
      for (const Tree& item : tree.items) text += (text.empty() ? "" : ",\n") + as_json(item);
      return "[" + text + "]";
    case Tree::Kind::mapping:
      for (const auto& [key, value] : tree.entries) {
        text += (text.empty() ? "" : ",\n") + quoted(key.text) + ": " + as_json(value);
      }
      return "{" + text + "}";
  }
  return "";
}

}  // namespace

// ---------------------------------------------------------------------------------------------------------------------

TEST_CASE("read: every kind of entry with every field equals the same built in C++") {
  check_same(read_model_text(everything, "file"), everything_built());
}

TEST_CASE("read: the model of the claim above leaves out no kind of entry and no field") {
  auto used = used_keys(everything);
  for (const EntryType& type : entry_types()) {
    if (type.info->keyword == "draw") continue;  // shapes have claims of their own: draw_test.cpp
    for (const Field& field : type.info->fields) {
      CAPTURE(type.info->keyword);
      CHECK_MESSAGE(used[std::string(type.info->keyword)].contains(std::string(field.key)), field.key);
    }
  }
}

TEST_CASE("read: no kind of entry has a field of its own name, for a key can stand only once") {
  for (const Dimension dimension : {Dimension::plane, Dimension::space}) {
    for (const EntryType& type : entry_types(dimension)) {
      for (const Field& field : type.info->fields) CHECK(field.key != type.info->keyword);
    }
  }
}

TEST_CASE("read: what is left out is as in C++") {
  const Model model = read(R"(
mechanism:
  - fixed: F
    at: 1, 2
  - point: P
    at: 0, 0.5
  - body: B
    at: 0, -1
  - scalar: s
  - input: u
  - marker: M
    on: B
  - rigid_mass:
    at: M
    mass: 0.5
  - coupling: lock
    coordinates: s
    factors: 1
  - spring:
    between: P, M
    stiffness: 25
    free_length: 1
  - torsion_spring:
    between: ground, B
    stiffness: 12
  - force:
    at: P
    vector: 1, -2
  - torque:
    on: B
    magnitude: 1.5
  - follower_force:
    at: M
    vector: 0, 4
  - actuator:
    between: F, P
    input: u
  - beam:
    between: F, B
    length: 1.5
    axial_stiffness: 1e6
    bending_stiffness: 20
)");
  ModelBuilder build;
  const Place F = build.fixed("F", {1, 2});
  const Place P = build.point("P", {0, 0.5});
  const Place B = build.body("B", {0, -1});
  build.scalar("s", 0);
  const InputRef u = build.input("u");
  const Place M = build.marker("M", B, {0, 0});
  build.add({}, RigidMass{.centre = M, .mass = 0.5});
  build.add("lock",
            Coupling{.coordinates = {build.coordinate("s")}, .factors = {1, unset, unset, unset, unset, unset}});
  build.add({}, Spring{.a = P, .b = M, .stiffness = 25, .free_length = 1});
  build.add({}, TorsionSpring{.a = ground, .b = B, .stiffness = 12});
  build.add({}, Force{.at = P, .vector = {1, -2}});
  build.add({}, Torque{.on = B, .magnitude = 1.5});
  build.add({}, FollowerForce{.at = M, .vector = {0, 4}});
  build.add({}, Actuator{.a = F, .b = P, .input = u});
  build.add({}, Beam{.a = F, .b = B, .length = 1.5, .axial_stiffness = 1e6, .bending_stiffness = 20});
  check_same(model, build.model());
}

TEST_CASE("read: JSON is the same model") {
  const std::string json = as_json(parse_tree(everything, "file"));
  REQUIRE(json.starts_with("{\"stillpoint\": \"1\""));
  check_same(read_model_text(json, "file"), everything_built());
  check_same(read("gravity: [0, -9.81]\nmechanism:\n  - point: P\n    at: 1, 2\n    mass: 3\n"),
             read_model_text(R"({"stillpoint": 1, "gravity": [0, -9.81],
                                 "mechanism": [{"point": "P", "at": [1, 2], "mass": 3}]})",
                             "file"));
}

TEST_CASE("read: a byte order mark and carriage returns change nothing") {
  std::string windows = "\xef\xbb\xbf";
  for (const char* c = everything; *c; ++c) windows += *c == '\n' ? std::string("\r\n") : std::string(1, *c);
  check_same(read_model_text(windows, "file"), everything_built());
}

TEST_CASE("read: entries are carried out by kind, so that names may be used before they are defined") {
  const Model forward = read(R"(
mechanism:
  - spring: s
    between: M, P
    stiffness: 1
    free_length: 0
  - marker: M
    on: B
    at: 1, 0
  - body: B
    at: 0, 0
  - point: P
    at: 0, 2
)");
  const Model backward = read(R"(
mechanism:
  - body: B
    at: 0, 0
  - point: P
    at: 0, 2
  - marker: M
    on: B
    at: 1, 0
  - spring: s
    between: M, P
    stiffness: 1
    free_length: 0
)");
  check_same(forward, backward);
}

TEST_CASE("read: a marker on a marker is given in its axes") {
  const Model model = read(R"(
mechanism:
  - marker: first
    on: ground
    at: 1, 0
    angle: 90*deg
  - marker: second
    on: first
    at: 2, 0
    angle: 90*deg
)");
  const Marker& second = model.markers().back();
  CHECK(second.position.x == doctest::Approx(1).epsilon(1e-15));  // cos 90° is not quite 0
  CHECK(second.position.y == 2);
  CHECK(second.angle == std::numbers::pi);
}

TEST_CASE("read: names with indices may be quoted in YAML's brackets or stand bare on a line") {
  const std::string points = "mechanism:\n  - point: B[1]\n    at: 0, 0\n  - point: B[2]\n    at: 1, 0\n";
  const Model bare = read(points + "  - distance: d\n    between: B[1], B[2]\n    length: 1\n");
  check_same(bare, read(points + "  - distance: d\n    between: [\"B[1]\", 'B[2]']\n    length: 1\n"));
  check_same(bare, read(points + "  - {distance: d, between: 'B[1], B[2]', length: 1}\n"));
  check_same(bare, read(points + "  - distance: d\n    between:\n      - B[1]\n      - B[1 + 1]\n    length: 1\n"));
}

// ---------------------------------------------------------------------------------------------------------------------
// Repetition

TEST_CASE("read: a repetition makes what its lines would make one by one") {
  const Model loop = read(R"(
mechanism:
  - point: B[0]
    at: 0, 0
  - for: i in 1..3
    do:
      - point: B[i]
        at: i, i^2
        mass: 1/i
      - rod: link[i]
        between: B[i-1], B[i]
        length: sqrt(1 + (2*i-1)^2)
        mass: 2*i
)");
  ModelBuilder build;
  Place before = build.point("B[0]", {0, 0});
  std::vector<Place> places;
  for (const double i : {1.0, 2.0, 3.0}) {
    places.push_back(build.point(Name("B", {static_cast<std::int64_t>(i)}), {i, i * i}, {.mass = 1 / i}));
  }
  for (const double i : {1.0, 2.0, 3.0}) {
    const Place place = places[static_cast<std::size_t>(i) - 1];
    const double rise = 2 * i - 1;
    build.add(Name("link", {static_cast<std::int64_t>(i)}),
              Rod{.a = before, .b = place, .length = std::sqrt(1 + rise * rise), .mass = 2 * i});
    before = place;
  }
  check_same(loop, build.model());
}

TEST_CASE("read: repetitions nest, and inner bounds depend on outer variables") {
  const Model model = read(R"(
parameters: {N: 3}
mechanism:
  - for: i in 1..N
    do:
      - for: j in i..2*i - 1
        do:
          - point: P[i,j]
            at: i, j
  - for: j in -1..0
    do:
      - for: k in j..j
        do:
          - point: Q[j,k]
            at: 0, 10*j
)");
  std::string names;
  for (Index i = 0; i < static_cast<Index>(model.blocks().size()); ++i) names += model.block_name(i) + " ";
  CHECK(names == "P[1,1] P[2,2] P[2,3] P[3,3] P[3,4] P[3,5] Q[-1,-1] Q[0,0] ");
  CHECK(model.initial_state().q[9] == 4);  // P[3,4].y
}

TEST_CASE("read: a repetition from 1 to 0 makes nothing") {
  CHECK(read("parameters: {N: 0}\nmechanism:\n  - for: i in 1..N\n    do:\n      - point: P[i]\n        at: 0, 0\n")
            .coordinates() == 0);
}

TEST_CASE("read: markers, inputs and scalars may be repeated as well") {
  const Model model = read(R"(
mechanism:
  - body: B
    at: 0, 0
  - for: i in 0..2
    do:
      - marker: M[i]
        on: B
        at: i, 0
      - input: u[i]
        value: i
      - force: F[i]
        at: M[i]
        vector: 0, 1
        input: u[i]
)");
  CHECK(model.inputs() == 3);
  CHECK(model.input_name(2) == "u[2]");
  CHECK(model.markers().size() == 5);  // with the origins of ground and body
  CHECK(applied_forces(model, model.initial_state())[1] == 3);
  CHECK(applied_forces(model, model.initial_state())[2] == 5);  // 1·1 + 2·2
}

TEST_CASE("read: two repetitions one after the other may share a variable") {
  const Model model = read(R"(
mechanism:
  - for: i in 1..2
    do: [{point: "P[i]", at: [i, 0]}]
  - for: i in 3..4
    do: [{point: "P[i]", at: [i, 0]}]
)");
  CHECK(model.initial_state().q[6] == 4);
}

// ---------------------------------------------------------------------------------------------------------------------
// Parameters

namespace {

using Named = std::vector<std::pair<std::string, double>>;

constexpr const char* with_parameters = R"(
parameters:
  l: 2
  half: l/2
  N: {value: 2*half, integer: true, min: 1, max: 5}
mechanism:
  - point: P
    at: l, half
)";

}  // namespace

TEST_CASE("parameters: those further down follow those above, and the model keeps note of all") {
  const Model model = read(with_parameters);
  CHECK(model.parameters() == Named{{"l", 2}, {"half", 1}, {"N", 2}});
  CHECK(model.initial_state().q[1] == 1);
}

TEST_CASE("parameters: the caller's value replaces the file's, and derived ones follow it") {
  CHECK(read(with_parameters, {{"l", 5}}).parameters() == Named{{"l", 5}, {"half", 2.5}, {"N", 5}});
  CHECK(read(with_parameters, {{"half", 1.5}}).parameters() == Named{{"l", 2}, {"half", 1.5}, {"N", 3}});
  CHECK(read(with_parameters, {{"l", 3}, {"half", 1}, {"l", 4}}).parameters() ==
        Named{{"l", 4}, {"half", 1}, {"N", 2}});
}

TEST_CASE("parameters: the ends of a range are allowed") {
  CHECK(read(with_parameters, {{"N", 1}}).parameters().back().second == 1);
  CHECK(read(with_parameters, {{"N", 5}}).parameters().back().second == 5);
}

TEST_CASE("parameters: comparisons choose values; a choice is quoted, because it has a ':'") {
  const Model model = read("parameters: {k: 1}\nmechanism:\n  - point: P\n    at: \"k > 2 ? 10 : 20, k == 1\"\n");
  CHECK(model.initial_state().q[0] == 20);
  CHECK(model.initial_state().q[1] == 1);
}

// ---------------------------------------------------------------------------------------------------------------------
// Files

TEST_CASE("read: a folder means its model.yaml, with or without a slash at the end") {
  const ScratchFolder folder;
  folder.write("crane/model.yaml", "stillpoint: 1\nmechanism: [{point: P, at: [1, 2]}]\n");
  const std::string path = folder / "crane";
  for (const std::string& way : {path, path + "/", path + "/model.yaml", path + "/../crane/./"}) {
    CAPTURE(way);
    CHECK(read_model(way).coordinates() == 2);
    CHECK(read_model(way).name() == "crane");
  }
}

TEST_CASE("read: a model is called as it says, or else as its file, or else as its folder") {
  const ScratchFolder folder;
  const std::string rest = "stillpoint: 1\nmechanism: []\n";
  CHECK(read_model(folder.write("crane/model.yaml", rest)).name() == "crane");
  CHECK(read_model(folder.write("crane/boom.yaml", rest)).name() == "boom");
  CHECK(read_model(folder.write("crane/boom.yaml", "name: A long arm\n" + rest)).name() == "A long arm");
}

TEST_CASE("read: what is read at the size of a real model is kept as rules, in a blink") {
  const Model model = read(R"(
parameters: {N: 100000}
mechanism:
  - for: i in 1..N
    do:
      - point: P[i]
        at: i, 0
        mass: 1
)");
  CHECK(model.coordinates() == 200'000);
  CHECK(model.coordinate_name(199'999) == "P[100000].y");
}

TEST_CASE("read: the starter model and every case are read") {
  CHECK(read_model_text(starter_model(), "starter").name() == "pendulum_on_a_carriage");
  int cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(STILLPOINT_SOURCE_DIR "/cases")) {
    if (!entry.is_directory()) continue;
    CAPTURE(entry.path());
    CHECK(read_model(entry.path().string()).coordinates() > 0);
    ++cases;
  }
  CHECK(cases > 0);
}
