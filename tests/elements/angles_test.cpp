// Angles over several turns: where a constraint on an angle holds, where it does not, and with which slope.

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "stillpoint/elements/all.h"
#include "support/elements/element_harness.h"

using namespace stillpoint;

namespace {

constexpr double pi = std::numbers::pi;
constexpr double rounding = 1e-14;  // rad; of a few turns in double precision

/// Directions all around, the four axes among them.
constexpr int directions = 24;
double direction_number(int k) { return 2 * pi * k / directions; }

/// φ is the direction from a fixed point to a point that moves; and Φ there.
struct Hand {
  Model model = [] {
    ModelBuilder build;
    const Place centre = build.fixed("A", {0.3, -0.2});
    const Place tip = build.point("B", {1, 0});
    const Place phi = build.scalar("phi", 0);
    build.add("phi", Angle{.angle = phi, .from = centre, .to = tip});
    return build.model();
  }();
  Assembly assembly{model};

  State at(double theta, double phi) const {
    State state = model.initial_state();
    state.q << 0.3 + 1.7 * std::cos(theta), -0.2 + 1.7 * std::sin(theta), phi;
    return state;
  }
  double residual(double theta, double phi) const { return constraint_residual(model, at(theta, phi))[0]; }
};

/// Two frames on bodies, of which the second is turned against the first.
template <class Joint>
Model joint_model() {
  ModelBuilder build;
  const Place a = build.marker({}, build.body("a", {0, 0}), {0.5, 0.1}, 0.4);
  const Place b = build.marker({}, build.body("b", {0, 0}), {0.5, 0.1}, -0.3);
  build.add("joint", Joint{.a = a, .b = b});
  return build.model();
}

/// Bodies in the same place, the second at the angle at which the frames coincide but for `twist`.
State twisted(const Model& model, double phi, double twist) {
  State state = model.initial_state();
  state.q << 1, 2, phi, 1, 2, phi + 0.7 + twist;
  return state;
}

template <class Joint>
void check_over_turns(int angle_row) {
  const Model model = joint_model<Joint>();
  Assembly assembly(model);
  for (int k = 0; k < directions; ++k) {
    for (int turns = -3; turns <= 3; ++turns) {
      const double phi = direction_number(k);
      const State holds = twisted(model, phi, 2 * pi * turns);
      CHECK(std::abs(constraint_residual(model, holds)[angle_row]) < rounding);
      const Eigen::MatrixXd J = assembly.at(holds).J;
      CHECK(J(angle_row, 2) == -1);
      CHECK(J(angle_row, 5) == 1);
      const State reversed = twisted(model, phi, 2 * pi * turns + pi);
      CHECK(std::abs(std::abs(constraint_residual(model, reversed)[angle_row]) - pi) < rounding);
      const State further = twisted(model, phi, 2 * pi * turns + 3);
      CHECK(constraint_residual(model, further)[angle_row] == doctest::Approx(3).epsilon(rounding));
    }
  }
}

}  // namespace

TEST_CASE("angle: holds at the direction of the points and at every full turn from it") {
  const Hand hand;
  for (int k = 0; k < directions; ++k) {
    for (int turns = -3; turns <= 3; ++turns) {
      const double theta = direction_number(k);
      CHECK(std::abs(hand.residual(theta, theta + 2 * pi * turns)) < rounding);
    }
  }
}

TEST_CASE("angle: its derivative by the angle is one everywhere, by the points that of the direction") {
  Hand hand;
  Random random(1);
  for (int k = 0; k < directions; ++k) {
    const double theta = direction_number(k);
    const Eigen::MatrixXd J = hand.assembly.at(hand.at(theta, random.between(-20, 20))).J;
    CHECK(J(0, 2) == 1);
    // θ' = e⊥ / l
    CHECK(J(0, 0) == doctest::Approx(std::sin(theta) / 1.7).epsilon(1e-14));
    CHECK(J(0, 1) == doctest::Approx(-std::cos(theta) / 1.7).epsilon(1e-14));
  }
}

TEST_CASE("angle: does not hold half a turn away, and is not small anywhere but at the direction") {
  const Hand hand;
  for (int k = 0; k < directions; ++k) {
    const double theta = direction_number(k);
    for (int turns = -3; turns <= 3; ++turns) {
      CHECK(std::abs(std::abs(hand.residual(theta, theta + pi + 2 * pi * turns)) - pi) < rounding);
      for (const double off : {-3.0, -1.0, -0.1, 0.1, 1.0, 3.0}) {
        CHECK(hand.residual(theta, theta + off + 2 * pi * turns) == doctest::Approx(off).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("weld: holds at every full turn, with the same Jacobian, and not at half turns") {
  check_over_turns<Weld>(2);
}

TEST_CASE("prismatic: holds at every full turn, with the same Jacobian, and not at half turns") {
  check_over_turns<Prismatic>(1);
}

TEST_CASE("torsion_spring: remembers full turns") {
  ModelBuilder build;
  const Place phi = build.scalar("phi", 0);
  build.add("spring", TorsionSpring{.a = ground, .b = phi, .stiffness = 2, .free_angle = 0.5});
  const Model model = build.model();
  State state = model.initial_state();
  for (int turns = -2; turns <= 2; ++turns) {
    state.q[0] = 0.5 + 2 * pi * turns;
    CHECK(applied_forces(model, state)[0] == doctest::Approx(-2 * 2 * pi * turns).epsilon(1e-14));
    CHECK(potential_energy(model, state) == doctest::Approx(2 * pi * turns * 2 * pi * turns).epsilon(1e-14));
  }
}
