// The parts of a model that are in space: names, states, and what the builder refuses.

#include <doctest/doctest.h>

#include <functional>
#include <numbers>
#include <stdexcept>
#include <string>

#include "stillpoint/assembly.h"
#include "stillpoint/elements/all.h"
#include "stillpoint/model.h"
#include "support/error_texts.h"

using namespace stillpoint;

namespace {

constexpr double rounding = 1e-14;

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

}  // namespace

TEST_CASE("Model in space: coordinates are named by what they are") {
  ModelBuilder build;
  build.scalar("s", 1);
  build.space_point("P", {1, 2, 3});
  build.space_body("B", {4, 5, 6});
  const Model model = build.model();
  const char* const names[] = {"s", "P.x", "P.y", "P.z", "B.x", "B.y", "B.z", "B.rx", "B.ry", "B.rz"};
  REQUIRE(model.coordinates() == 10);
  for (Index i = 0; i < 10; ++i) CHECK(model.coordinate_name(i) == names[i]);
  const State state = model.initial_state();
  Eigen::VectorXd guess(10);
  guess << 1, 1, 2, 3, 4, 5, 6, 0, 0, 0;
  CHECK(state.q == guess);
  CHECK(state.orientations.size() == 1);
}

TEST_CASE("Model::displaced: moves coordinates and turns bodies about their own axes") {
  ModelBuilder build;
  const Rotation<double> guess = rotation_about({0.4, -1.2, 0.9});
  build.space_point("P", {1, 2, 3});
  build.space_body("A", {0, 0, 0});
  build.space_body("B", {4, 5, 6}, {.rotation = guess});
  const Model model = build.model();
  Eigen::VectorXd by(15);
  by << 0.1, 0.2, 0.3, 1, 1, 1, 0, 0, 0, 0.5, 0.5, 0.5, 0.3, -0.7, 2.9;
  const State moved = model.displaced(model.initial_state(), by);
  CHECK(moved.q[1] == doctest::Approx(2.2));
  CHECK(moved.q[9] == doctest::Approx(4.5));
  CHECK(moved.q.segment<3>(6).isZero(0));
  CHECK(moved.q.tail<3>().isZero(0));
  CHECK(length(rotation_vector(moved.orientations[0])) == 0);
  const Rotation<double> expected = guess * rotation_about({0.3, -0.7, 2.9});
  CHECK(length(rotation_vector(inverse(expected) * moved.orientations[1])) < rounding);

  // A thousand turns later it is still a rotation.
  State state = moved;
  for (int i = 0; i < 1000; ++i) state = model.displaced(state, by);
  const Rotation<double>& r = state.orientations[1];
  CHECK(std::abs(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z - 1) < rounding);
}

TEST_CASE("Model::context: refuses states whose orientations are missing, or stand among the coordinates") {
  ModelBuilder build;
  build.space_body("B", {4, 5, 6}, {.mass = 1});
  const Model model = build.model();
  State state = model.initial_state();
  state.q[4] = 1e-9;
  CHECK_THROWS_WITH_AS(applied_forces(model, state),
                       "the state's q has increments of an orientation; displace states with Model::displaced",
                       std::invalid_argument);
  state = model.initial_state();
  state.orientations.clear();
  CHECK_THROWS_AS(applied_forces(model, state), std::invalid_argument);
}

TEST_CASE("ModelBuilder in space: markers on markers, and in a pose of the guess") {
  ModelBuilder build;
  const Rotation<double> turn = rotation_about({0, 0, std::numbers::pi / 2});
  const space::Place body = build.space_body("B", {1, 0, 0}, {.rotation = turn});
  const space::Place arm = build.space_marker("M", body, {2, 0, 0}, turn);
  const space::Place hand = build.space_marker("N", arm, {0, 0, 1});
  CHECK(length(build.pose(arm).p - Vec3<double>{1, 2, 0}) < rounding);
  CHECK(length(build.pose(hand).p - Vec3<double>{1, 2, 1}) < rounding);
  CHECK(length(x_axis(build.pose(hand).R) - Vec3<double>{-1, 0, 0}) < rounding);

  const space::Frame<double> wanted{{0.3, 0.4, -2}, rotation_about({1, 2, 3})};
  for (const space::Place on : {body, hand, space::ground}) {
    const space::Frame<double> pose = build.pose(build.space_marker_posed({}, on, wanted));
    CHECK(length(pose.p - wanted.p) < rounding);
    CHECK(length(rotation_vector(inverse(wanted.R) * pose.R)) < rounding);
  }
}

TEST_CASE("ModelBuilder in space: the wrong kind of place is refused by name") {
  ModelBuilder build;
  const space::Place P = build.space_point("P", {0, 0, 0});
  const space::Place B = build.space_body("B", {0, 0, 0});
  build.body("flat", {0, 0});
  build.scalar("s", 0);

  CHECK(contains(refusal([&] { build.add("hinge", space::Revolute{.a = P, .b = B}); }),
                 "revolute 'hinge': between refers to a point ('P'); allowed is a body, a marker on it or the ground"));
  CHECK(contains(refusal([&] { build.space_marker("M", P, {1, 0, 0}); }), "marker 'M': on refers to a point ('P')"));
  CHECK(contains(refusal([&] { build.space_place("flat"); }), "'flat' is a body, which is not in space"));
  CHECK(contains(refusal([&] { build.space_place("s"); }), "'s' is a scalar, which is not in space"));
  CHECK(contains(refusal([&] { build.place("B"); }), "'B' is in space, not in the plane"));
  CHECK(contains(refusal([&] { build.coordinate("B", "rz"); }),
                 "'B.rz' is not a coordinate; 'B' is a body and has B.x, B.y, B.z (for its orientation make a scalar "
                 "with an 'angle')"));
  const Index rz = build.coordinate("B", "x").coordinate + 5;
  CHECK(contains(refusal([&] { build.add("drive", Prescribed{.coordinate = {rz}, .input = build.input("u")}); }),
                 "prescribed 'drive': coordinate refers to an increment of an orientation"));
  CHECK(contains(refusal([&] { build.space_point("B", {0, 0, 0}); }), "the name 'B' is taken"));
  CHECK(build.model().coordinates() == 3 + 6 + 3 + 1);  // what was refused has left nothing behind
}

TEST_CASE("ModelBuilder in space: an inertia that no body has is refused") {
  ModelBuilder build;
  const auto refused = [&](const Inertia& inertia) {
    return refusal([&] { build.space_body("B", {0, 0, 0}, {.mass = 1, .inertia = inertia}); });
  };
  CHECK(contains(refused({1, 1, -0.1}), "body 'B' has an inertia with a negative principal moment"));
  CHECK(contains(refused({1, 1, 1, 1.1}), "negative principal moment"));  // Ixy greater than both moments allow
  CHECK(contains(refused({1, 1, unset}), "must be a finite number"));
  CHECK(refused({1, 1, 1, 0.9}) == "");
}
