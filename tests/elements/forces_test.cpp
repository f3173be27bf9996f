// Springs, dampers, loads and actuators in closed form.

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "stillpoint/elements/all.h"
#include "support/elements/element_harness.h"

using namespace stillpoint;
using doctest::Approx;

namespace {

constexpr double rounding = 1e-14;

/// A point at (3, 4), five metres from the origin, and one element between the origin and it.
template <class Make>
Model at_five_metres(Make make) {
  ModelBuilder build;
  build.add("e", make(build.point("B", {3, 4})));
  return build.model();
}

Model spring_at_five_metres(double stiffness, double free_length, double damping = 0) {
  return at_five_metres([&](Place b) {
    return Spring{.a = ground, .b = b, .stiffness = stiffness, .free_length = free_length, .damping = damping};
  });
}

}  // namespace

TEST_CASE("spring: pulls with k (l − l₀) along the line") {
  const Model model = spring_at_five_metres(10, 4.5);
  const Eigen::VectorXd f = applied_forces(model, model.initial_state());
  CHECK(f[0] == Approx(-5 * 0.6).epsilon(rounding));
  CHECK(f[1] == Approx(-5 * 0.8).epsilon(rounding));
  CHECK(potential_energy(model, model.initial_state()) == Approx(0.5 * 10 * 0.25).epsilon(rounding));
}

TEST_CASE("spring: along it K is k, across it the force over the length, as a taut string has it") {
  const Model model = spring_at_five_metres(10, 4.5);
  Assembly assembly(model);
  const Eigen::Matrix2d K = Eigen::MatrixXd(assembly.at(model.initial_state()).K);
  const Eigen::Vector2d along(0.6, 0.8), across(-0.8, 0.6);
  CHECK(along.dot(K * along) == Approx(10).epsilon(rounding));
  CHECK(across.dot(K * across) == Approx(10 * 0.5 / 5).epsilon(rounding));
  CHECK(along.dot(K * across) == Approx(0).scale(10).epsilon(rounding));
}

TEST_CASE("spring of free length zero: is smooth where its ends meet") {
  ModelBuilder build;
  build.add("e", Spring{.a = ground, .b = build.point("B", {0, 0}), .stiffness = 10, .free_length = 0});
  const Model model = build.model();
  Assembly assembly(model);
  CHECK(applied_forces(model, model.initial_state()).isZero(0));
  CHECK(Eigen::MatrixXd(assembly.at(model.initial_state()).K) == (10 * Eigen::MatrixXd::Identity(2, 2)).eval());
}

TEST_CASE("spring of free length zero: its ends have no entries across the axes, the others have") {
  const auto entries_of_K = [](double free_length) {
    ModelBuilder build;
    build.add(
        "e",
        Spring{
            .a = build.point("A", {0, 0}), .b = build.point("B", {1, 1}), .stiffness = 1, .free_length = free_length});
    const Model model = build.model();
    Assembly assembly(model);
    return assembly.at(model.initial_state()).K.nonZeros();
  };
  CHECK(entries_of_K(0) == 8);
  CHECK(entries_of_K(1) == 16);
}

TEST_CASE("springs of both kinds in one model have each its own entries, whichever comes first") {
  for (const double first : {0.0, 1.0}) {
    CAPTURE(first);
    ModelBuilder build;
    for (const double free_length : {first, 1 - first}) {
      const Place a = build.point({}, {0, 0}), b = build.point({}, {1, 1});
      build.add({}, Spring{.a = a, .b = b, .stiffness = 1, .free_length = free_length});
    }
    const Model model = build.model();
    Assembly assembly(model);
    CHECK(assembly.at(model.initial_state()).K.nonZeros() == 8 + 16);
  }
}

TEST_CASE("damper, and the damper of a spring: pull with c times the rate of the length") {
  for (const bool in_spring : {false, true}) {
    CAPTURE(in_spring);
    const Model model = in_spring ? spring_at_five_metres(0, 1, 2)
                                  : at_five_metres([](Place b) { return Damper{.a = ground, .b = b, .damping = 2}; });
    State state = model.initial_state();
    state.v = Eigen::Vector2d(1, 7);
    const double rate = 0.6 * 1 + 0.8 * 7;
    const Eigen::VectorXd f = applied_forces(model, state);
    CHECK(f[0] == Approx(-2 * rate * 0.6).epsilon(rounding));
    CHECK(f[1] == Approx(-2 * rate * 0.8).epsilon(rounding));
    state.v = Eigen::Vector2d(-8, 6);  // across: the length does not change
    CHECK(applied_forces(model, state).norm() < 1e-13);
    Assembly assembly(model);
    const Eigen::MatrixXd C = assembly.at(model.initial_state()).C;
    CHECK(C(0, 0) == Approx(2 * 0.36).epsilon(rounding));
    CHECK(C(0, 1) == Approx(2 * 0.48).epsilon(rounding));
    CHECK(C(1, 1) == Approx(2 * 0.64).epsilon(rounding));
  }
}

TEST_CASE("spring without damping: has no entries in C") {
  const Model model = spring_at_five_metres(10, 4.5);
  Assembly assembly(model);
  CHECK(assembly.at(model.initial_state()).C.nonZeros() == 0);
}

TEST_CASE("actuator: pushes the ends apart with its magnitude times the input") {
  for (const double u : {1.0, -0.5, 0.0}) {
    ModelBuilder build;
    const InputRef input = build.input("u", u);
    build.add("e", Actuator{.a = ground, .b = build.point("B", {3, 4}), .magnitude = 20, .input = input});
    const Model model = build.model();
    const Eigen::VectorXd f = applied_forces(model, model.initial_state());
    CHECK(f[0] == Approx(20 * u * 0.6).epsilon(rounding));
    CHECK(f[1] == Approx(20 * u * 0.8).epsilon(rounding));
    Assembly assembly(model);
    const SparseMatrix& F = assembly.at(model.initial_state()).F;
    CHECK(F.coeff(0, 0) == Approx(20 * 0.6).epsilon(rounding));
    CHECK(F.coeff(1, 0) == Approx(20 * 0.8).epsilon(rounding));
  }
}

TEST_CASE("torsion_spring and torsion_damper: twist back with k (φ − φ₀) + c φ̇, equal and opposite") {
  ModelBuilder build;
  const Place a = build.scalar("a", 1), b = build.body("b", {0, 0}, {.angle = 1.75});
  build.add("spring", TorsionSpring{.a = a, .b = b, .stiffness = 8, .free_angle = 0.25, .damping = 2});
  build.add("damper", TorsionDamper{.a = a, .b = b, .damping = 1});
  const Model model = build.model();
  State state = model.initial_state();
  state.v = Eigen::Vector4d(1, 0, 0, 4);
  const double torque = 8 * 0.5 + (2 + 1) * 3;
  CHECK(applied_forces(model, state) == Eigen::Vector4d(torque, 0, 0, -torque));
}

TEST_CASE("torque: turns `on` and reacts on `against`; on the ground it reacts on nobody") {
  ModelBuilder build;
  const Place a = build.body("a", {0, 0}), b = build.body("b", {1, 1});
  build.add("between", Torque{.on = a, .against = b, .magnitude = 5});
  build.add("motor", Torque{.on = b, .magnitude = 2, .input = build.input("u", 3)});
  const Model model = build.model();
  Eigen::VectorXd f = Eigen::VectorXd::Zero(6);
  f << 0, 0, 5, 0, 0, -5 + 2 * 3;
  CHECK(applied_forces(model, model.initial_state()) == f);
}

TEST_CASE("force: keeps its direction when the body turns; follower_force: turns with it") {
  const double turn = 0.7;
  ModelBuilder build;
  const Place body = build.body("b", {1, 1}, {.angle = turn});
  const Place nozzle = build.marker("nozzle", body, {-2, 0}, std::numbers::pi / 2);
  build.add("dead", Force{.at = nozzle, .vector = {3, 0}, .input = build.input("dead", 1)});
  build.add("thrust", FollowerForce{.at = nozzle, .vector = {3, 0}, .input = build.input("thrust", 0)});
  const Model model = build.model();
  State state = model.initial_state();
  const double c = std::cos(turn), s = std::sin(turn);
  Eigen::VectorXd f = applied_forces(model, state);
  CHECK(f[0] == Approx(3).epsilon(rounding));
  CHECK(f[1] == Approx(0).scale(1).epsilon(rounding));
  CHECK(f[2] == Approx(2 * s * 3).epsilon(rounding));  // arm −2 (c, s) × (3, 0)
  state.u = Eigen::Vector2d(0, 1);
  f = applied_forces(model, state);
  CHECK(f[0] == Approx(-3 * s).epsilon(rounding));  // across the body, which its marker is turned to
  CHECK(f[1] == Approx(3 * c).epsilon(rounding));
  CHECK(f[2] == Approx(-6).epsilon(rounding));  // the same moment at every angle
}

TEST_CASE("follower_force: K is that of a force that turns, which no potential has") {
  const double turn = 0.7, c = std::cos(turn), s = std::sin(turn);
  ModelBuilder build;
  const Place body = build.body("b", {0, 0}, {.angle = turn});
  build.add("thrust", FollowerForce{.at = body, .vector = {3, -2}});
  const Model model = build.model();
  const Eigen::VectorXd f = applied_forces(model, model.initial_state());
  CHECK(f[0] == Approx(3 * c + 2 * s).epsilon(rounding));
  CHECK(f[1] == Approx(3 * s - 2 * c).epsilon(rounding));
  CHECK(f[2] == 0);
  Assembly assembly(model);
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(3, 3);
  K(0, 2) = 3 * s - 2 * c;
  K(1, 2) = -3 * c - 2 * s;
  CHECK(relative_difference(assembly.at(model.initial_state()).K, K) < rounding);
}
