// Constraints in closed form: the residual as its header states it, and what the multipliers mean.

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "stillpoint/elements/all.h"
#include "support/dense_reference.h"
#include "support/elements/element_harness.h"

using namespace stillpoint;
using doctest::Approx;

namespace {

constexpr double rounding = 1e-14;

/// The forces that the constraints exert, −Jᵀλ.
Eigen::VectorXd reactions(const Model& model, const State& state) {
  Assembly assembly(model);
  return -(assembly.at(state).J.transpose() * state.lambda);
}

/// The multipliers that hold the applied forces at rest:  Jᵀλ = f.
Eigen::VectorXd multipliers_at_rest(const Model& model, const State& state) {
  Assembly assembly(model);
  const Eigen::MatrixXd J = assembly.at(state).J;
  return dense::least_norm_solution(J.transpose(), applied_forces(model, state));
}

}  // namespace

TEST_CASE("distance: is |d|² − l² in square metres") {
  ModelBuilder build;
  build.add("d", Distance{.a = build.fixed({}, {1, 1}), .b = build.point("B", {4, 5}), .length = 2});
  const Model model = build.model();
  CHECK(constraint_residual(model, model.initial_state())[0] == 25 - 4);
}

TEST_CASE("distance: the multiplier is half the tension over the length, positive where it pulls") {
  for (const bool massive : {false, true}) {
    CAPTURE(massive);
    ModelBuilder build;
    build.gravity({0, -10});
    const Place bob = build.point("B", {0, -2}, {.mass = 3});
    if (massive) build.add("d", Rod{.a = ground, .b = bob, .length = 2, .mass = 0});
    else build.add("d", Distance{.a = ground, .b = bob, .length = 2});
    const Model model = build.model();
    State state = model.initial_state();
    state.lambda = multipliers_at_rest(model, state);
    const double tension = 30;  // N, the bob's weight
    CHECK(state.lambda[0] == Approx(tension / (2 * 2)).epsilon(rounding));
    CHECK(reactions(model, state)[1] == Approx(tension).epsilon(rounding));  // upwards
  }
}

TEST_CASE("revolute: is p_b − p_a, and its multipliers are the force on a") {
  ModelBuilder build;
  const Place a = build.point("a", {1, 2});
  const Place b = build.point("b", {4, 6});
  build.add("pin", Revolute{.a = a, .b = b});
  const Model model = build.model();
  State state = model.initial_state();
  CHECK(constraint_residual(model, state) == Eigen::Vector2d(3, 4));
  state.lambda = Eigen::Vector2d(5, -7);
  CHECK(reactions(model, state) == Eigen::Vector4d(5, -7, -5, 7));
  CHECK(model.constraint_name(0) == "pin.x");
  CHECK(model.constraint_name(1) == "pin.y");
}

TEST_CASE("revolute: on a turned body it holds the marker, with the moment of its arm") {
  ModelBuilder build;
  const Place body = build.body("b", {1, 2}, {.angle = std::numbers::pi / 2});
  const Place end = build.marker("end", body, {3, 1});
  build.add("pin", Revolute{.a = ground, .b = end});
  const Model model = build.model();
  State state = model.initial_state();
  const Eigen::VectorXd phi = constraint_residual(model, state);
  CHECK(phi[0] == Approx(0).scale(1).epsilon(rounding));  // (1, 2) + (3, 1) turned by 90° = (1, 2) + (−1, 3)
  CHECK(phi[1] == Approx(5).epsilon(rounding));
  state.lambda = Eigen::Vector2d(-1, 0);  // pushes the end with +1 along x, 3 m above the origin
  CHECK(reactions(model, state)[2] == Approx(-3).epsilon(rounding));
}

TEST_CASE("slider: is the distance from the line, positive to the left of the slot") {
  ModelBuilder build;
  const double slope = 0.3;
  const Place slot = build.fixed("slot", {1, 1}, slope);
  const Place pin = build.point("pin", {0, 0});
  build.add("slider", Slider{.slot = slot, .pin = pin});
  const Model model = build.model();
  State state = model.initial_state();
  for (const double along : {-3.0, 0.0, 2.0}) {
    for (const double across : {-0.5, 0.0, 0.25}) {
      state.q[0] = 1 + along * std::cos(slope) - across * std::sin(slope);
      state.q[1] = 1 + along * std::sin(slope) + across * std::cos(slope);
      CHECK(constraint_residual(model, state)[0] == Approx(across).scale(1).epsilon(rounding));
    }
  }
}

TEST_CASE("prismatic: gives way along the rail only") {
  ModelBuilder build;
  const double slope = -1.1;
  const Place rail = build.fixed("rail", {2, 0}, slope);
  const Place carriage = build.body("carriage", {0, 0});
  build.add("guide", Prismatic{.a = rail, .b = carriage});
  const Model model = build.model();
  CHECK(model.constraint_name(0) == "guide.across");
  CHECK(model.constraint_name(1) == "guide.angle");
  State state = model.initial_state();
  const double along = 1.4, across = 0.2, turn = 0.1;
  state.q << 2 + along * std::cos(slope), along * std::sin(slope), slope;
  CHECK(constraint_residual(model, state).norm() < rounding);
  state.q << 2 + along * std::cos(slope) - across * std::sin(slope), along * std::sin(slope) + across * std::cos(slope),
      slope + turn;
  CHECK(constraint_residual(model, state)[0] == Approx(across).epsilon(rounding));
  CHECK(constraint_residual(model, state)[1] == Approx(turn).epsilon(rounding));
}

TEST_CASE("weld: holds where two frames coincide, and says by how much they do not") {
  ModelBuilder build;
  const Place a = build.fixed("a", {1, 2}, 0.5);
  const Place b = build.body("b", {1.25, 1.5}, {.angle = 0.75});
  build.add("weld", Weld{.a = a, .b = b});
  const Model model = build.model();
  CHECK(constraint_residual(model, model.initial_state()) == Eigen::Vector3d(0.25, -0.5, 0.25));
  CHECK(model.constraint_name(0) == "weld.x");
  CHECK(model.constraint_name(1) == "weld.y");
  CHECK(model.constraint_name(2) == "weld.angle");
}

TEST_CASE("coupling: sums up to six coordinates of any kind, a repeated one twice") {
  ModelBuilder build;
  build.scalar("s", 3);
  build.point("p", {5, 7});
  build.body("b", {11, 13}, {.angle = 17});
  const CoordinateOf s = build.coordinate("s"), x = build.coordinate("p", "x"), y = build.coordinate("p", "y"),
                     phi = build.coordinate("b", "phi"), bx = build.coordinate("b", "x");
  build.add("six", Coupling{.coordinates = {s, x, y, bx, phi, s}, .factors = {1, 2, -3, 0.5, 0.25, 4}, .value = 2});
  build.add("one", Coupling{.coordinates = {y}, .factors = {2}, .value = 1});
  const Model model = build.model();
  const Eigen::VectorXd phis = constraint_residual(model, model.initial_state());
  CHECK(phis[0] == 3 + 10 - 21 + 5.5 + 4.25 + 12 - 2);
  CHECK(phis[1] == 13);
  Assembly assembly(model);
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(2, 6);
  J << 1 + 4, 2, -3, 0.5, 0, 0.25,  //
      0, 0, 2, 0, 0, 0;
  CHECK(Eigen::MatrixXd(assembly.at(model.initial_state()).J) == J);
}

TEST_CASE("prescribed: the coordinate is the input") {
  ModelBuilder build;
  build.scalar("s", 3);
  build.add("drive", Prescribed{.coordinate = build.coordinate("s"), .input = build.input("u", 1)});
  const Model model = build.model();
  CHECK(constraint_residual(model, model.initial_state())[0] == 2);
  Assembly assembly(model);
  const Matrices& matrices = assembly.at(model.initial_state());
  CHECK(matrices.J.coeff(0, 0) == 1);
  CHECK(matrices.G.coeff(0, 0) == 1);  // J δq = G δu
}
