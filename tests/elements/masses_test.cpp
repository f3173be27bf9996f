// Inertia against Lagrange's equations, d/dt ∂T/∂v − ∂T/∂q, with the kinetic energy T(q, v) written down in closed form
// and differentiated by central differences. Weights in closed form.

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "stillpoint/elements/all.h"
#include "support/elements/element_harness.h"
#include "support/sanitized.h"

using namespace stillpoint;
using doctest::Approx;
using Eigen::Vector2d;
using Eigen::VectorXd;

namespace {

constexpr int states_each = draws(100, 20);
constexpr double rounding = 1e-14;
// A difference of differences: 1e-13/h of the momenta's rounding on top of the 1e-12 of a single one.
constexpr double like_second_differences = 1e-7;

void check_inertia(const Model& model, const KineticEnergy& T) {
  Random random(7);
  Assembly assembly(model);
  for (int i = 0; i < states_each; ++i) {
    const State state = random_state(model, random, Assembly::Motion::moving);
    const VectorXd r = inertia_forces(model, state);
    REQUIRE(r.norm() > 0.1);
    REQUIRE(relative_difference(r, lagrange(T, state.q, state.v, state.a)) < like_second_differences);
    State still = model.initial_state();
    still.q = state.q;
    const VectorXd p = assembly.at(still).M * state.v;  // M v = ∂T/∂v
    REQUIRE(relative_difference(p, momenta(T, state.q, state.v)) < 1e-12);
  }
}

/// Position and velocity of a place fixed on a body whose coordinates start at i.
struct Material {
  Vector2d p, v;
  Material(const VectorXd& q, const VectorXd& rate, int i, const Vector2d& on_body) {
    const double c = std::cos(q[i + 2]), s = std::sin(q[i + 2]);
    const Vector2d arm(c * on_body.x() - s * on_body.y(), s * on_body.x() + c * on_body.y());
    p = q.segment<2>(i) + arm;
    v = rate.segment<2>(i) + rate[i + 2] * Vector2d(-arm.y(), arm.x());
  }
};

}  // namespace

TEST_CASE("rigid_mass: with its centre off the body's origin it obeys Lagrange's equations") {
  ModelBuilder build;
  build.body("b", {0, 0}, {.mass = 1.7, .inertia = 0.4, .centre = {0.6, -0.9}});
  check_inertia(build.model(), [](const VectorXd& q, const VectorXd& v) {
    const Material centre(q, v, 0, {0.6, -0.9});
    return 0.5 * 1.7 * centre.v.squaredNorm() + 0.5 * 0.4 * v[2] * v[2];
  });
}

TEST_CASE("rigid_mass: on a marker it sits at the marker, whatever the marker's angle") {
  ModelBuilder build;
  const Place body = build.body("b", {0, 0});
  const Place first = build.marker("first", body, {0.5, 0.2}, 0.8);
  const Place second = build.marker("second", first, {1, 0}, -2);
  build.add("m", RigidMass{.centre = second, .mass = 1.7, .moment = 0.4});
  check_inertia(build.model(), [](const VectorXd& q, const VectorXd& v) {
    const Material centre(q, v, 0, {0.5 + std::cos(0.8), 0.2 + std::sin(0.8)});
    return 0.5 * 1.7 * centre.v.squaredNorm() + 0.5 * 0.4 * v[2] * v[2];
  });
}

TEST_CASE("point_mass: on a body it obeys Lagrange's equations, centrifugal force included") {
  ModelBuilder build;
  const Place body = build.body("b", {0, 0});
  build.add("m", PointMass{.at = build.marker({}, body, {0.5, -0.2}), .mass = 1.3});
  const Model model = build.model();
  check_inertia(model, [](const VectorXd& q, const VectorXd& v) {
    return 0.5 * 1.3 * Material(q, v, 0, {0.5, -0.2}).v.squaredNorm();
  });
  State state = model.initial_state();
  state.v = Eigen::Vector3d(0, 0, 2);
  state.a = Eigen::Vector3d(0, 0, 0);
  CHECK(inertia_forces(model, state)[0] == Approx(-1.3 * 4 * 0.5).epsilon(rounding));  // −m ω² r
  CHECK(inertia_forces(model, state)[1] == Approx(1.3 * 4 * 0.2).epsilon(rounding));
}

TEST_CASE("rod: between points and on bodies it obeys Lagrange's equations") {
  // T = ½ ∫ |(1 − s) v_a + s v_b|² m ds
  const auto energy = [](const Vector2d& a, const Vector2d& b) {
    return 2.1 / 6 * (a.squaredNorm() + a.dot(b) + b.squaredNorm());
  };
  ModelBuilder points;
  points.add("rod", Rod{.a = points.point("A", {0, 0}), .b = points.point("B", {1, 0}), .length = 1, .mass = 2.1});
  check_inertia(points.model(), [&](const VectorXd&, const VectorXd& v) { return energy(v.head<2>(), v.tail<2>()); });

  ModelBuilder bodies;
  const Place a = bodies.marker({}, bodies.body("a", {0, 0}), {0.4, 0.1});
  const Place b = bodies.marker({}, bodies.body("b", {1, 0}), {-0.7, 0.3});
  bodies.add("rod", Rod{.a = a, .b = b, .length = 1, .mass = 2.1});
  check_inertia(bodies.model(), [&](const VectorXd& q, const VectorXd& v) {
    return energy(Material(q, v, 0, {0.4, 0.1}).v, Material(q, v, 3, {-0.7, 0.3}).v);
  });
}

TEST_CASE("rod: moving rigidly, it has the kinetic energy of a rigid uniform rod, m |v_c|²/2 + m l² ω²/24") {
  ModelBuilder build;
  build.add("rod", Rod{.a = build.point("A", {0, 0}), .b = build.point("B", {3, 4}), .length = 5, .mass = 2.1});
  const Model model = build.model();
  Assembly assembly(model);
  Random random(3);
  for (int i = 0; i < states_each; ++i) {
    const State state = model.initial_state();
    const double omega = random.between(-3, 3);
    const VectorXd v = rigid_velocity(model, state, random.between(-2, 2), random.between(-2, 2), omega);
    const Vector2d centre = (v.head<2>() + v.tail<2>()) / 2;
    const double T = 0.5 * v.dot(assembly.at(state).M * v);
    CHECK(T == Approx(0.5 * 2.1 * centre.squaredNorm() + 2.1 * 25 * omega * omega / 24).epsilon(1e-13));
  }
}

TEST_CASE("scalar_mass: resists the acceleration of one coordinate") {
  ModelBuilder build;
  build.scalar("s", 1, {.mass = 2});
  build.point("p", {0, 0});
  build.add("m", ScalarMass{.coordinate = build.coordinate("p", "y"), .mass = 3});
  const Model model = build.model();
  State state = model.initial_state();
  state.a = Eigen::Vector3d(5, 7, 11);
  CHECK(inertia_forces(model, state) == Eigen::Vector3d(10, 0, 33));
}

TEST_CASE("weight: pulls at the centre of mass, half a rod's at each end") {
  ModelBuilder build;
  build.gravity({0, -10});
  build.point("p", {1, 2}, {.mass = 3});
  build.body("b", {0, 1},
             {.angle = std::numbers::pi / 2, .mass = 2, .centre = {0, -0.5}});  // centre 0.5 m to the right
  const Place a = build.point("A", {0, 0}), b = build.point("B", {1, 3});
  build.add("rod", Rod{.a = a, .b = b, .length = 1, .mass = 4});
  const Model model = build.model();
  const VectorXd f = applied_forces(model, model.initial_state());
  VectorXd expected(9);
  expected << 0, -30, 0, -20, -20 * 0.5, 0, -20, 0, -20;
  CHECK(relative_difference(f, expected) < rounding);
  CHECK(potential_energy(model, model.initial_state()) == Approx(30 * 2 + 20 * 1 + 40 * 1.5).epsilon(rounding));
}
