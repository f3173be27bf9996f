// Building models in C++: what is refused and with which words, and what things are called afterwards.

#include "stillpoint/model.h"

#include <doctest/doctest.h>

#include <limits>
#include <numbers>

#include "stillpoint/assembly.h"
#include "stillpoint/elements/all.h"

using namespace stillpoint;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// A builder with one of everything, and how to get at it.
struct Workshop {
  ModelBuilder build;
  Place point = build.point("P", {1, 0});
  Place body = build.body("b", {0, 1});
  Place scalar = build.scalar("s", 0);
  Place tip = build.marker("tip", body, {1, 0});
  InputRef input = build.input("drive");
};

/// What adding the element throws; its field, too, must be right.
template <class E>
std::string refusal(ModelBuilder& build, const E& element, const std::string& field) {
  try {
    build.add("x", element);
  } catch (const FieldError& error) {
    CHECK(error.field() == field);
    return error.what();
  }
  return "nothing was thrown";
}

template <class F>
std::string text_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE("add: a number that is not finite is refused, named with its element and field") {
  Workshop w;
  CHECK(refusal(w.build, Distance{.a = ground, .b = w.point, .length = infinite}, "length") ==
        "distance 'x': length is inf; it must be a finite number");
  CHECK(refusal(w.build, Spring{.a = ground, .b = w.point, .stiffness = -infinite, .free_length = 1}, "stiffness") ==
        "spring 'x': stiffness is -inf; it must be a finite number");
}

TEST_CASE("add: a number that was never given is refused as not finite") {
  Workshop w;
  CHECK(refusal(w.build, Spring{.a = ground, .b = w.point, .stiffness = 1}, "free_length") ==
        "spring 'x': free_length is nan; it must be a finite number");
  CHECK(refusal(w.build, Force{.at = w.point}, "vector") == "force 'x': vector is nan; it must be a finite number");
}

TEST_CASE("add: a number outside of what is allowed is refused with its value") {
  Workshop w;
  CHECK(refusal(w.build, Distance{.a = ground, .b = w.point, .length = 0}, "length") ==
        "distance 'x': length is 0; it must be positive");
  CHECK(refusal(w.build, Rod{.a = ground, .b = w.point, .length = -2.5, .mass = 1}, "length") ==
        "rod 'x': length is -2.5; it must be positive");
  CHECK(refusal(w.build, Rod{.a = ground, .b = w.point, .length = 1, .mass = -1}, "mass") ==
        "rod 'x': mass is -1; it must not be negative");
  CHECK(refusal(w.build, Spring{.a = ground, .b = w.point, .stiffness = 1, .free_length = -1e-3}, "free_length") ==
        "spring 'x': free_length is -0.001; it must not be negative");
  CHECK(refusal(w.build, Coupling{.coordinates = {w.build.coordinate("s")}, .factors = {0}}, "factors") ==
        "coupling 'x': factors is zero; it must not be");
}

TEST_CASE("add: a place of the wrong kind is refused with its name and what is allowed") {
  Workshop w;
  CHECK(refusal(w.build, Revolute{.a = ground, .b = w.scalar}, "between") ==
        "revolute 'x': between refers to a scalar ('s'); allowed is a point, a body or a marker");
  CHECK(refusal(w.build, Weld{.a = w.point, .b = w.body}, "between") ==
        "weld 'x': between refers to a point ('P'); allowed is a body, a marker on it or the ground");
  CHECK(refusal(w.build, Slider{.slot = w.scalar, .pin = w.point}, "slot") ==
        "slider 'x': slot refers to a scalar ('s'); allowed is a body, a marker on it or the ground");
  CHECK(refusal(w.build, TorsionDamper{.a = w.body, .b = w.point, .damping = 1}, "between") ==
        "torsion_damper 'x': between refers to a point ('P'); allowed is a body, a scalar or the ground");
  const Place nameless = w.build.point({}, {0, 0});
  CHECK(refusal(w.build, Torque{.on = nameless, .magnitude = 1}, "on") ==
        "torque 'x': on refers to a point; allowed is a body, a scalar or the ground");
}

TEST_CASE("add: a reference that was never given, or to something of another model, is refused") {
  Workshop w;
  const std::string nothing_there = "refers to nothing";
  CHECK(refusal(w.build, Revolute{.a = ground, .b = {}}, "between") == "revolute 'x': between " + nothing_there);
  CHECK(refusal(w.build, Revolute{.a = ground, .b = {1000}}, "between") == "revolute 'x': between " + nothing_there);
  CHECK(refusal(w.build, ScalarMass{.coordinate = {}, .mass = 1}, "coordinate") ==
        "scalar_mass 'x': coordinate " + nothing_there);
  CHECK(refusal(w.build, ScalarMass{.coordinate = {6}, .mass = 1}, "coordinate") ==
        "scalar_mass 'x': coordinate " + nothing_there);
  CHECK(refusal(w.build, Actuator{.a = ground, .b = w.point, .input = {}}, "input") ==
        "actuator 'x': input " + nothing_there);
  CHECK(refusal(w.build, Force{.at = w.point, .vector = {1, 0}, .input = {1}}, "input") ==
        "force 'x': input " + nothing_there);
}

TEST_CASE("add: an optional input may be left out, a required one may not") {
  Workshop w;
  w.build.add("f", Force{.at = w.point, .vector = {1, 0}});
  w.build.add("g", Force{.at = w.point, .vector = {1, 0}, .input = w.input});
  const Model model = w.build.model();
  CHECK(applied_forces(model, model.initial_state())[0] == 1);  // the input is zero
}

TEST_CASE("add: a list that is empty is refused as missing") {
  Workshop w;
  CHECK(refusal(w.build, Coupling{}, "coordinates") == "coupling 'x': coordinates is missing");
  CHECK(refusal(w.build, Coupling{.coordinates = {w.build.coordinate("s")}}, "factors") ==
        "coupling 'x': factors is missing");
}

TEST_CASE("add: data that do not go together are refused") {
  Workshop w;
  const CoordinateOf s = w.build.coordinate("s"), x = w.build.coordinate("P", "x");
  CHECK(text_of([&] {
          w.build.add("x", Coupling{.coordinates = {s}, .factors = {1, 2}});
        }) == "coupling 'x' needs as many factors as coordinates");
  CHECK(text_of([&] {
          w.build.add({}, Coupling{.coordinates = {s, x}, .factors = {1, unset}});
        }) == "a coupling needs as many factors as coordinates");
  CHECK(text_of([&] {
          w.build.add("x", Coupling{.coordinates = {s, {}, {1000}}, .factors = {1, unset, 2}});
        }) == "coupling 'x' has a gap among its coordinates");
}

TEST_CASE("add: a refused element leaves nothing behind") {
  Workshop w;
  const std::int64_t before = w.build.size();
  CHECK_THROWS_AS(w.build.add("rod", Rod{.a = ground, .b = w.point, .length = -1, .mass = 1}), FieldError);
  CHECK(w.build.size() == before);
  w.build.add("rod", Rod{.a = ground, .b = w.point, .length = 1, .mass = 1});
  CHECK(w.build.size() == before + 1);
  CHECK(w.build.model().constraints() == 1);
}

TEST_CASE("add: a name is taken once among constraints, once among forces, once among masses") {
  Workshop w;
  w.build.add("hinge", Revolute{.a = ground, .b = w.tip});
  w.build.add("hinge", Spring{.a = ground, .b = w.point, .stiffness = 1, .free_length = 1});
  w.build.add("hinge", PointMass{.at = w.point, .mass = 1});
  CHECK(text_of([&] { w.build.add("hinge", Distance{.a = ground, .b = w.point, .length = 1}); }) ==
        "distance 'hinge': the name is taken by another constraint");
  CHECK(text_of([&] {
          w.build.add("hinge", Force{.at = w.point, .vector = {1, 0}});
        }) == "force 'hinge': the name is taken by another force");
  CHECK(text_of([&] { w.build.add("hinge", ScalarMass{.coordinate = w.build.coordinate("s"), .mass = 1}); }) ==
        "scalar_mass 'hinge': the name is taken by another mass");
  w.build.add({}, Distance{.a = ground, .b = w.point, .length = 1});
  w.build.add({}, Distance{.a = ground, .b = w.point, .length = 1});
  CHECK(w.build.model().constraints() == 4);
}

TEST_CASE("places: a taken name is refused, whatever it is of; nameless ones never are") {
  Workshop w;
  const std::string taken = "is taken by another point, body, scalar or marker";
  CHECK(text_of([&] { w.build.point("b", {0, 0}); }) == "the name 'b' " + taken);
  CHECK(text_of([&] { w.build.body("tip", {0, 0}); }) == "the name 'tip' " + taken);
  CHECK(text_of([&] { w.build.fixed("ground", {0, 0}); }) == "the name 'ground' " + taken);
  CHECK(text_of([&] { w.build.input("drive"); }) == "the name 'drive' is taken by another input");
  w.build.input("P");  // inputs are looked up elsewhere
  for (int i = 0; i < 2; ++i) {
    w.build.point({}, {0, 0});
    w.build.input({}, 0);
  }
  CHECK(w.build.model().inputs() == 4);
}

TEST_CASE("places: a refused one adds no coordinates") {
  Workshop w;
  CHECK_THROWS_AS(w.build.point("P", {0, 0}), Error);
  CHECK_THROWS_AS(w.build.body("c", {0, 0}, {.mass = -1}), Error);
  CHECK_THROWS_AS(w.build.scalar("c", infinite), Error);
  CHECK(w.build.model().coordinates() == 2 + 3 + 1);
}

TEST_CASE("places: numbers that are not allowed are refused, named with the place and the field") {
  ModelBuilder build;
  const std::string finite = "; it must be a finite number", negative = "; it must not be negative";
  CHECK(text_of([&] { build.fixed("A", {0, unset}); }) == "fixed 'A': at is nan" + finite);
  CHECK(text_of([&] { build.fixed("A", {0, 0}, infinite); }) == "fixed 'A': angle is inf" + finite);
  CHECK(text_of([&] { build.point("A", {infinite, 0}); }) == "point 'A': at is inf" + finite);
  CHECK(text_of([&] { build.point("A", {0, 0}, {.mass = -2}); }) == "point 'A': mass is -2" + negative);
  CHECK(text_of([&] { build.body("A", {unset, 0}); }) == "body 'A': at is nan" + finite);
  CHECK(text_of([&] { build.body("A", {0, 0}, {.angle = infinite}); }) == "body 'A': angle is inf" + finite);
  CHECK(text_of([&] { build.body("A", {0, 0}, {.mass = -2}); }) == "body 'A': mass is -2" + negative);
  CHECK(text_of([&] { build.body("A", {0, 0}, {.inertia = -2}); }) == "body 'A': inertia is -2" + negative);
  CHECK(text_of([&] { build.body("A", {0, 0}, {.centre = {0, infinite}}); }) == "body 'A': centre is inf" + finite);
  CHECK(text_of([&] { build.scalar("A", unset); }) == "scalar 'A': value is nan" + finite);
  CHECK(text_of([&] { build.scalar({}, 0, {.mass = -2}); }) == "a scalar: mass is -2" + negative);
  CHECK(text_of([&] { build.input({}, unset); }) == "an input: value is nan" + finite);
  CHECK(text_of([&] { build.marker("A", ground, {unset, 0}); }) == "marker 'A': at is nan" + finite);
  CHECK(text_of([&] { build.marker("A", ground, {0, 0}, infinite); }) == "marker 'A': angle is inf" + finite);
  CHECK(text_of([&] { build.gravity({0, infinite}); }) == "gravity is inf" + finite);
  CHECK(text_of([&] { build.point("2", {0, 0}); }).starts_with("'2' is not a name"));
}

TEST_CASE("marker: sits on bodies, markers and the ground only") {
  Workshop w;
  CHECK(text_of([&] {
          w.build.marker("m", w.point, {0, 0});
        }) == "marker 'm': on refers to a point ('P'); allowed is a body, a marker on it or the ground");
  CHECK(text_of([&] { w.build.marker("m", Place{}, {0, 0}); }) == "marker 'm': on refers to nothing");
}

TEST_CASE("marker: on a marker it is placed and turned in that one's axes, to any depth") {
  ModelBuilder build;
  const Place body = build.body("b", {10, 20}, {.angle = 0});
  const Place first = build.marker("first", body, {1, 2}, std::numbers::pi / 2);
  const Place second = build.marker("second", first, {3, 0}, std::numbers::pi / 2);
  const Place third = build.marker("third", second, {5, 0}, 0.25);
  const Model model = build.model();
  const State state = model.initial_state();
  const Frame<double> frame = lift<double>(model.context(state), FrameOf(third), {});
  CHECK(frame.p.x == doctest::Approx(10 + 1 - 5).epsilon(1e-15));  // 3 along y, then 5 back along x
  CHECK(frame.p.y == doctest::Approx(20 + 2 + 3).epsilon(1e-15));
  CHECK(frame.angle == doctest::Approx(std::numbers::pi + 0.25).epsilon(1e-15));
}

TEST_CASE("place, coordinate and input_ref: find what a name stands for, or say which name is near") {
  Workshop w;
  CHECK(w.build.place("tip").marker == w.tip.marker);
  CHECK(w.build.place("ground").marker == ground_marker);
  CHECK(w.build.coordinate("P", "y").coordinate == 1);
  CHECK(w.build.coordinate("b", "phi").coordinate == 4);
  CHECK(w.build.coordinate("s").coordinate == 5);
  CHECK(w.build.input_ref("drive").input == w.input.input);

  CHECK(text_of([&] { w.build.place("tib"); }) ==
        "there is no point, body, scalar or marker 'tib' (did you mean 'tip'?)");
  CHECK(text_of([&] { w.build.input_ref("drove"); }) == "there is no input 'drove' (did you mean 'drive'?)");
  CHECK(text_of([&] { w.build.input_ref("excitation"); }) == "there is no input 'excitation'");
  CHECK(text_of([&] { w.build.coordinate("P"); }) == "'P' is not a coordinate; 'P' is a point and has P.x, P.y");
  CHECK(text_of([&] { w.build.coordinate("P", "phi"); }) ==
        "'P.phi' is not a coordinate; 'P' is a point and has P.x, P.y");
  CHECK(text_of([&] { w.build.coordinate("b", "z"); }) ==
        "'b.z' is not a coordinate; 'b' is a body and has b.x, b.y, b.phi");
  CHECK(text_of([&] { w.build.coordinate("s", "x"); }) == "'s.x' is not a coordinate; 's' is a scalar and has s");
  CHECK(text_of([&] { w.build.coordinate("tip", "x"); }) == "'tip' is a marker and has no coordinates of its own");
  CHECK(text_of([&] { w.build.coordinate("ground"); }) == "'ground' is fixed on the ground and has no coordinates");
}

TEST_CASE("Model: coordinates, constraints, elements, blocks and inputs have names") {
  Workshop w;
  w.build.point({}, {0, 0});
  for (std::int64_t i = 0; i < 3; ++i) w.build.point(Name("B", {i}), {0, 0});
  w.build.input({}, 0);
  w.build.add("rod", Distance{.a = ground, .b = w.point, .length = 1});
  w.build.add("hinge", Revolute{.a = ground, .b = w.tip});
  w.build.add({}, Revolute{.a = w.point, .b = w.tip});
  w.build.add("pull", Force{.at = w.point, .vector = {1, 0}});
  const Model model = w.build.model();

  CHECK(model.coordinates() == 14);
  const char* const coordinates[] = {"P.x",  "P.y",    "b.x",    "b.y",    "b.phi",  "s",      "#3.x",
                                     "#3.y", "B[0].x", "B[0].y", "B[1].x", "B[1].y", "B[2].x", "B[2].y"};
  for (Index i = 0; i < 14; ++i) CHECK(model.coordinate_name(i) == coordinates[i]);

  CHECK(model.constraints() == 5);
  const char* const constraints[] = {"rod", "hinge.x", "hinge.y", "revolute#1.x", "revolute#1.y"};
  for (Index i = 0; i < 5; ++i) CHECK(model.constraint_name(i) == constraints[i]);
  CHECK_THROWS_AS(model.constraint_name(5), std::invalid_argument);
  CHECK_THROWS_AS(model.constraint_name(-1), std::invalid_argument);

  CHECK(model.arrays().size() == 3);
  CHECK(model.element_name(0, 0) == "rod");
  CHECK(model.element_name(1, 1) == "revolute#1");
  CHECK(model.element_name(2, 0) == "pull");
  CHECK(model.block_name(3) == "#3");
  CHECK(model.block_name(5) == "B[1]");
  CHECK(model.inputs() == 2);
  CHECK(model.input_name(0) == "drive");
  CHECK(model.input_name(1) == "#1");
}

TEST_CASE("Model: starts from the guess, at rest, with the inputs' operating values") {
  ModelBuilder build("machine");
  build.gravity({0, -9.81});
  build.parameter("N", 3);
  build.point("P", {1, 2});
  build.body("b", {3, 4}, {.angle = 5});
  build.scalar("s", 6);
  build.input("u", 7);
  const Model model = build.model();
  const State state = model.initial_state();
  Eigen::VectorXd guess(6);
  guess << 1, 2, 3, 4, 5, 6;
  CHECK(state.q == guess);
  CHECK(state.u == Eigen::VectorXd::Constant(1, 7));
  CHECK(state.v.size() == 0);
  CHECK(state.a.size() == 0);
  CHECK(state.lambda.size() == 0);
  CHECK(model.name() == "machine");
  CHECK(model.gravity().y == -9.81);
  CHECK(model.parameters() == std::vector<std::pair<std::string, double>>{{"N", 3.0}});
}

TEST_CASE("Model: the builder is empty after making one, and can make another") {
  ModelBuilder build;
  build.point("P", {1, 2}, {.mass = 1});
  build.input("u");
  CHECK(build.model().coordinates() == 2);
  CHECK(build.size() == 0);
  build.point("P", {3, 4});
  const Model second = build.model();
  CHECK(second.coordinates() == 2);
  CHECK(second.inputs() == 0);
  CHECK(second.arrays().empty());
  CHECK(second.coordinate_name(0) == "P.x");
  CHECK(ModelBuilder().model().coordinates() == 0);
}

TEST_CASE("Model: a mass of zero makes no element, one on a body sits at its centre") {
  ModelBuilder build;
  build.point("P", {1, 2});
  build.scalar("s", 0);
  build.body("a", {0, 0});
  CHECK(build.model().arrays().empty());

  build.body("b", {0, 0}, {.mass = 2, .inertia = 0.5, .centre = {3, 0}});
  const Model model = build.model();
  Assembly assembly(model);
  const Eigen::MatrixXd M = assembly.at(model.initial_state()).M;
  Eigen::Matrix3d expected;
  expected << 2, 0, 0,  //
      0, 2, 6,          //
      0, 6, 18.5;
  CHECK(M == expected);
}
