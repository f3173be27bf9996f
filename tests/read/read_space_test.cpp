// Good models in space: what is read from a file equals what is built in C++, and joints given by axes fit the guess.

#include <doctest/doctest.h>

#include <numbers>

#include "stillpoint/elements/all.h"
#include "stillpoint/read_model.h"
#include "support/read/same_model.h"
#include "support/read/used_keys.h"

using namespace stillpoint;

namespace {

constexpr double deg = std::numbers::pi / 180;

constexpr const char* everything = R"(stillpoint: 1
name: everything
dimension: 3
parameters:
  a: 0.3
gravity: a, 0.1, -9.81
mechanism:
  - fixed: F
    at: 1, 2, 3
    rotation: 10*deg, 0, 20*deg
  - fixed: G
    at: 0, 0, 1
    z_axis: 1, 1, 0
    x_axis: 0, 0, 3
  - point: P
    at: 2*a, 0.5, -1
    mass: 1.5
  - body: B
    at: 0, -1, 0.5
    rotation: 0, -90*deg, 0
    mass: 2
    inertia: 0.3, 0.4, 0.5, 0.01, 0.02, 0.03
    centre: a/2, 0.05, 0.1
  - body: D
    at: 0.2, 0.4, 0.6
    z_axis: 0, 1, 0
    x_axis: 1, 0.2, 0
    mass: 1
    inertia: 0.1, 0.1, 0.1
  - scalar: s
    value: 0.7
    mass: 0.25
    unit: rad
  - input: u
    value: 0.4
    unit: N m
  - marker: M
    on: B
    at: 0.1, 0.2, 0.3
    rotation: 0, 0, 30*deg
  - marker: N
    on: M
    at: 0.1, 0, 0
    z_axis: 0, 2, 0
    x_axis: 1, 0, 0
  - point_mass: bob
    at: B(0, 0, 1)
    mass: 0.75
  - rigid_mass: lump
    at: M
    mass: 0.5
    inertia: 0.02, 0.03, 0.04
  - scalar_mass: wheel
    coordinate: s
    mass: 0.375
  - rod: bar
    between: F, P
    length: 1.75
    mass: 3
  - distance: strut
    between: B(0.5, 0, 0), F
    length: 2.5
  - spherical: ball
    between: B(0, 1, 0), P
  - universal: cross
    between: B, D
    at: 0.1, 0, 0
    axis: 1, 0, 0
    second_axis: 0, 1, 1
  - constant_velocity: drive_shaft
    between: B, D
    at: 0.1, 0, 0
    axis: 0, 0, 1
    second_axis: 0, 1, 1
  - revolute: hinge
    between: ground, B
    through: F, P
  - revolute: hinge_by_axis
    between: ground, B
    at: 0, 0, 1
    axis: 0, 2, 0
  - cylindrical: sleeve
    between: B, D
    at: 0, 1, 0
    axis: 0, 0, -3
  - prismatic: rail
    between: M, D
    at: 0, 1, 0
    axis: 1, 1, 1
  - planar: table
    between: G, D
    at: 0, 1, 0
    axis: 0, 0, 1
  - weld: seam
    between: B, D
    at: 0, 1, 0
  - point_on_line: tube
    line: M
    point: P
  - point_on_plane: floor
    plane: G
    point: P
  - angle: swing
    of: s
    between: ground, B
    at: 0, 0, 0
    axis: 0, 1, 0
  - travel: stroke
    of: s
    along: G
    point: P
  - coupling: gear
    coordinates: s, B.x, P.z
    factors: 1, -2, 0.5
    value: 0.2
  - prescribed: drive
    coordinate: s
    input: u
  - spring: coil
    between: P, M
    stiffness: 25
    free_length: 1.5
    damping: 0.8
    preload: true
  - damper: dash
    between: F, B
    damping: 1.25
  - bushing: rubber
    between: M, D
    at: 0, 0, 0
    stiffness: 100, 200, 300, 4, 5, 6
    damping: 1, 2, 3, 0.4, 0.5, 0.6
  - torsion_spring: twist
    between: ground, B
    at: 0, 0, 0
    axis: 0, 1, 0
    stiffness: 12
    free_angle: 0.1
    damping: 0.02
    preload: true
  - torsion_damper: friction
    between: B, D
    at: 0, 0, 0
    axis: 1, 0, 0
    damping: 0.03
  - scalar_spring: return
    of: s
    against: B.x
    stiffness: 3
    free_value: 0.2
    damping: 0.04
    preload: true
  - scalar_force: preload
    on: s
    against: P.z
    magnitude: 0.6
    input: u
  - force: push
    at: B(0, 0.5, 0)
    vector: 1, -2, 3
    input: u
  - torque: dead
    at: B
    vector: 1, 2, 3
    input: u
  - follower_force: thrust
    at: M
    vector: 0, 4, 1
    input: u
  - follower_torque: screw
    at: M
    vector: 0, 4, 2
    input: u
  - rotor: wheel
    on: M
    momentum: 0, 4, 3
    input: u
  - actuator: cylinder
    between: F, B(0, 1, 0)
    magnitude: 250
    input: u
  - motor: servo
    between: ground, D
    at: 0, 0, 0
    axis: 1, 0, 0
    magnitude: 1.5
    input: u
  - beam: leaf
    between: F, B
    length: 1.5
    axial_stiffness: 1e6
    torsion_stiffness: 15
    bending_stiffness: 20, 30
    shear_stiffness: 4e5, 5e5
    mass_per_length: 3
    rotary_inertia: 0.03, 0.01, 0.02
    damping: 0.2, 1e-3
  - output: tip
    position: B(0, 1, 0)
    axes: M
  - output: tip_velocity
    velocity: B(0, 1, 0)
  - output: tip_acceleration
    acceleration: P
  - output: gap
    distance: P, M
  - output: lean
    angle: ground, B(0, 0, 0, 0, 0, 0.5)
  - output: spin
    rate: B
    axes: B
  - output: level
    coordinate: P.z
  - output: pull
    force: coil
  - output: bearing
    reaction: hinge
    on: 1
    axes: B
)";

Model everything_built() {
  const double a = 0.3;
  ModelBuilder build("everything");
  build.gravity({a, 0.1, -9.81});
  const space::Place F = build.space_fixed("F", {1, 2, 3}, rotation_about({10 * deg, 0, 20 * deg}));
  const auto unit = [](const Vec3<double>& v) { return (1 / length(v)) * v; };
  const space::Place G = build.space_fixed("G", {0, 0, 1}, rotation_with(unit({1, 1, 0}), {0, 0, 1}));
  // The masses of points, bodies and scalars are stated as what they stand for.
  const space::Place P = build.space_point("P", {2 * a, 0.5, -1});
  build.add({}, space::PointMass{.at = P, .mass = 1.5});
  const space::Place B = build.space_body("B", {0, -1, 0.5}, {.rotation = rotation_about({0, -90 * deg, 0})});
  build.add({}, space::RigidMass{.centre = build.space_marker({}, B, {a / 2, 0.05, 0.1}),
                                 .mass = 2,
                                 .inertia_about_centre = {0.3, 0.4, 0.5, 0.01, 0.02, 0.03}});
  const space::Place D =
      build.space_body("D", {0.2, 0.4, 0.6}, {.rotation = rotation_with({0, 1, 0}, unit({1, 0.2, 0}))});
  build.add({}, space::RigidMass{.centre = D, .mass = 1, .inertia_about_centre = {0.1, 0.1, 0.1}});
  build.scalar("s", 0.7);
  const CoordinateOf s = build.coordinate("s");
  build.add({}, ScalarMass{.coordinate = s, .mass = 0.25});
  const InputRef u = build.input("u", 0.4);
  const space::Place M = build.space_marker("M", B, {0.1, 0.2, 0.3}, rotation_about({0, 0, 30 * deg}));
  build.space_marker("N", M, {0.1, 0, 0}, rotation_with({0, 1, 0}, {1, 0, 0}));

  const auto on = [&](space::Place place, const Vec3<double>& at) { return build.space_marker({}, place, at); };
  struct Pair {
    space::Place a, b;
  };
  const auto posed = [&](space::Place on_a, space::Place on_b, const Vec3<double>& at, const Rotation<double>& R_a,
                         const Rotation<double>& R_b) {
    const space::Place first = build.space_marker_posed({}, on_a, {at, R_a});
    return Pair{first, build.space_marker_posed({}, on_b, {at, R_b})};
  };
  const auto axis = [&](space::Place on_a, space::Place on_b, const Vec3<double>& at, const Vec3<double>& along) {
    return posed(on_a, on_b, at, rotation_with(unit(along)), rotation_with(unit(along)));
  };
  using space::ground;

  build.add("bob", space::PointMass{.at = on(B, {0, 0, 1}), .mass = 0.75});
  build.add("lump", space::RigidMass{.centre = M, .mass = 0.5, .inertia_about_centre = {0.02, 0.03, 0.04}});
  build.add("wheel", ScalarMass{.coordinate = s, .mass = 0.375});
  build.add("bar", space::Rod{.a = F, .b = P, .length = 1.75, .mass = 3});
  build.add("strut", space::Distance{.a = on(B, {0.5, 0, 0}), .b = F, .length = 2.5});
  build.add("ball", space::Spherical{.a = on(B, {0, 1, 0}), .b = P});

  const Vec3<double> x{1, 0, 0}, slanted = unit({0, 1, 1}), z = cross(x, slanted);
  const Pair cross_frames = posed(B, D, {0.1, 0, 0}, rotation_with(z, x), rotation_with(z, cross(slanted, z)));
  build.add("cross", space::Universal{.a = cross_frames.a, .b = cross_frames.b});
  // The second shaft's axes are those of the first, bent by 45° about −x.
  const Rotation<double> straight = rotation_with({0, 0, 1});
  const Vec3<double> bend = cross(Vec3<double>{0, 0, 1}, slanted);
  const Rotation<double> bent = normalized({1 + slanted.z, bend.x, bend.y, bend.z}) * straight;
  const Pair shafts = posed(B, D, {0.1, 0, 0}, straight, bent);
  build.add("drive_shaft", space::ConstantVelocity{.a = shafts.a, .b = shafts.b});
  const Vec3<double> from = build.pose(F).p, to = build.pose(P).p;
  Pair pair = axis(ground, B, from, to - from);
  build.add("hinge", space::Revolute{.a = pair.a, .b = pair.b});
  pair = axis(ground, B, {0, 0, 1}, {0, 2, 0});
  build.add("hinge_by_axis", space::Revolute{.a = pair.a, .b = pair.b});
  pair = axis(B, D, {0, 1, 0}, {0, 0, -3});
  build.add("sleeve", space::Cylindrical{.a = pair.a, .b = pair.b});
  pair = axis(M, D, {0, 1, 0}, {1, 1, 1});
  build.add("rail", space::Prismatic{.a = pair.a, .b = pair.b});
  pair = axis(G, D, {0, 1, 0}, {0, 0, 1});
  build.add("table", space::Planar{.a = pair.a, .b = pair.b});
  pair = posed(B, D, {0, 1, 0}, {}, {});
  build.add("seam", space::Weld{.a = pair.a, .b = pair.b});
  build.add("tube", space::PointOnLine{.line = M, .point = P});
  build.add("floor", space::PointOnPlane{.plane = G, .point = P});
  pair = axis(ground, B, {0, 0, 0}, {0, 1, 0});
  build.add("swing", space::Angle{.angle = s, .a = pair.a, .b = pair.b});
  build.add("stroke", space::Travel{.travel = s, .axis = G, .point = P});
  build.add("gear", Coupling{.coordinates = {s, build.coordinate("B", "x"), build.coordinate("P", "z")},
                             .factors = {1, -2, 0.5, unset, unset, unset},
                             .value = 0.2});
  build.add("drive", Prescribed{.coordinate = s, .input = u});
  build.add("coil",
            space::Spring{.a = P, .b = M, .stiffness = 25, .free_length = 1.5, .damping = 0.8, .preload = true});
  build.add("dash", space::Damper{.a = F, .b = B, .damping = 1.25});
  space::Bushing rubber;
  pair = posed(M, D, {0, 0, 0}, {}, {});
  rubber.a = pair.a;
  rubber.b = pair.b;
  rubber.stiffness = {};
  const double stiffness[] = {100, 200, 300, 4, 5, 6}, damping[] = {1, 2, 3, 0.4, 0.5, 0.6};
  for (std::size_t i = 0; i < 6; ++i) {
    rubber.stiffness[7 * i] = stiffness[i];
    rubber.damping[7 * i] = damping[i];
  }
  build.add("rubber", rubber);
  pair = axis(ground, B, {0, 0, 0}, {0, 1, 0});
  build.add("twist",
            space::TorsionSpring{
                .a = pair.a, .b = pair.b, .stiffness = 12, .free_angle = 0.1, .damping = 0.02, .preload = true});
  pair = axis(B, D, {0, 0, 0}, {1, 0, 0});
  build.add("friction", space::TorsionDamper{.a = pair.a, .b = pair.b, .damping = 0.03});
  build.add("return", ScalarSpring{.of = s,
                                   .against = build.coordinate("B", "x"),
                                   .stiffness = 3,
                                   .free_value = 0.2,
                                   .damping = 0.04,
                                   .preload = true});
  build.add("preload", ScalarForce{.on = s, .against = build.coordinate("P", "z"), .magnitude = 0.6, .input = u});
  build.add("push", space::Force{.at = on(B, {0, 0.5, 0}), .vector = {1, -2, 3}, .input = u});
  build.add("dead", space::Torque{.at = B, .vector = {1, 2, 3}, .input = u});
  build.add("thrust", space::FollowerForce{.at = M, .vector = {0, 4, 1}, .input = u});
  build.add("screw", space::FollowerTorque{.at = M, .vector = {0, 4, 2}, .input = u});
  build.add("wheel", space::Rotor{.on = M, .momentum = {0, 4, 3}, .input = u});
  build.add("cylinder", space::Actuator{.a = F, .b = on(B, {0, 1, 0}), .magnitude = 250, .input = u});
  pair = axis(ground, D, {0, 0, 0}, {1, 0, 0});
  build.add("servo", space::Motor{.a = pair.a, .b = pair.b, .magnitude = 1.5, .input = u});

  build.add("leaf", space::Beam{.a = F,
                                .b = B,
                                .length = 1.5,
                                .axial_stiffness = 1e6,
                                .torsion_stiffness = 15,
                                .bending_y = 20,
                                .bending_z = 30,
                                .shear_y = 4e5,
                                .shear_z = 5e5,
                                .mass_per_length = 3,
                                .rotary_inertia = {0.03, 0.01, 0.02},
                                .damping = {0.2, 1e-3}});
  build.output("tip", space::PointMeasure{.at = on(B, {0, 1, 0}), .axes = M});
  build.output("tip_velocity", space::PointMeasure{.at = on(B, {0, 1, 0}), .what = PointMotion::velocity});
  build.output("tip_acceleration", space::PointMeasure{.at = P, .what = PointMotion::acceleration});
  build.output("gap", space::DistanceMeasure{.a = P, .b = M});
  build.output("lean", space::AngleMeasure{.of = build.space_marker({}, B, {0, 0, 0}, rotation_about({0, 0, 0.5}))});
  build.output("spin", space::RateMeasure{.of = B, .axes = B});
  build.output("level", CoordinateMeasure{.coordinate = build.coordinate("P", "z")});
  build.output_force("pull", build.force_ref("coil"));
  build.output_reaction("bearing", build.constraint_ref("hinge"), 1, B);
  return build.model();
}

}  // namespace

TEST_CASE("read in space: every kind of entry with every field equals the same built in C++") {
  check_same(read_model_text(everything, "file"), everything_built());
}

TEST_CASE("read: a frame turns about one number in the plane, about three in space") {
  const auto velocity = [](const std::string& head) {
    return read_model_text("stillpoint: 1\nparameters: {W: 3}\n" + head + "\nmechanism: []\n", "file")
        .angular_velocity();
  };
  const Vec3<double> plane = velocity("angular_velocity: 2*W"),
                     space = velocity("dimension: 3\nangular_velocity: 1, W, -W");
  CHECK(plane.x == 0);
  CHECK(plane.y == 0);
  CHECK(plane.z == 6);
  CHECK(space.x == 1);
  CHECK(space.y == 3);
  CHECK(space.z == -3);
}

TEST_CASE("read in space: the model of the claim above leaves out no kind of entry and no field") {
  // (An axis through two points and one given by its direction are the same field of all joints; hinges have both.)
  auto used = used_keys(everything);
  for (const EntryType& type : entry_types(Dimension::space)) {
    const std::string keyword(type.info->keyword);
    if (keyword == "draw") continue;           // shapes have claims of their own: draw_test.cpp
    if (keyword == "flexible_body") continue;  // needs files: flexible_body_test.cpp
    for (const Field& field : type.info->fields) {
      if (field.key == "through" && keyword != "revolute") continue;
      CAPTURE(keyword);
      CHECK_MESSAGE(used[keyword].contains(std::string(field.key)), field.key);
    }
  }
}
