// Inputs that hold a mechanism where it is, against force balances in closed form.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

#include "stillpoint/equilibrium.h"
#include "stillpoint/operating_point.h"
#include "stillpoint/read_model.h"
#include "support/equilibrium/campaign.h"
#include "support/error_texts.h"
#include "support/seeded.h"

using namespace stillpoint;

namespace {

using std::numbers::pi;

// Relative to the largest weight times the largest length: what remains after a well-conditioned solve.
constexpr double exact = 1e-12;
constexpr double g = 9.81;

/// Two uniform bars from the ground to the tip, with angles from the horizontal.
struct Arm {
  double l1 = 1, m1 = 1, l2 = 1, m2 = 1, phi1 = 0, phi2 = 0;

  /// Hinge torques of the statics of two bars: all that hangs on a hinge, about it.
  double torque2() const { return m2 * g * l2 / 2 * std::cos(phi2); }
  double torque1() const { return torque2() + (m1 / 2 + m2) * g * l1 * std::cos(phi1); }
  double scale() const { return (m1 + m2) * g * (l1 + l2); }

  Model model(const std::string& more) const {
    return read_model_text(
        fmt::format("stillpoint: 1\nname: arm\ngravity: 0, -9.81\nmechanism:\n"
                    "  - body: upper\n    at: 0, 0\n    angle: {}\n    mass: {}\n    centre: {}, 0\n"
                    "  - body: lower\n    at: {}, {}\n    angle: {}\n    mass: {}\n    centre: {}, 0\n"
                    "  - revolute: shoulder\n    between: ground, upper\n"
                    "  - revolute: elbow\n    between: upper({}, 0), lower\n{}",
                    phi1, m1, l1 / 2, l1 * std::cos(phi1), l1 * std::sin(phi1), phi2, m2, l2 / 2, l1, more),
        "test");
  }
};

std::string motor(const std::string& name, const std::string& of, double magnitude = 1, double value = 0) {
  return fmt::format("  - input: {0}\n    value: {1}\n  - torque: {0}\n    {2}\n    magnitude: {3}\n    input: {0}\n",
                     name, value, of, magnitude);
}
const std::string shoulder = "on: upper", elbow = "on: lower\n    against: upper";

Trim trimmed(const Model& model, const TrimOptions& options = {}) {
  return find_trim(model, model.initial_state(), options);
}

/// Cart and pole on a rail along x, with gravity from any side: an incline.
Model cart_pole(double gx, double gy, double angle, double u = 0) {
  return read_model_text(fmt::format("stillpoint: 1\nname: incline\ngravity: {}, {}\nmechanism:\n"
                                     "  - input: u\n    value: {}\n"
                                     "  - body: cart\n    at: 0.3, 0\n    mass: 10\n"
                                     "  - body: pole\n    at: 0.3, 0\n    angle: {}\n    mass: 1\n    centre: 0, -0.5\n"
                                     "  - prismatic: rail\n    between: ground, cart\n"
                                     "  - revolute: hinge\n    between: cart, pole\n"
                                     "  - force: drive\n    at: cart\n    vector: 1, 0\n    input: u\n",
                                     gx, gy, u, angle),
                         "test");
}

}  // namespace

TEST_CASE("trim: the upright cart-pole needs no force, whatever it starts with") {
  const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/cart_pole");
  for (const double start : {0.0, 3.0, -200.0}) {
    const OperatingPoint at = operating_point(model, {{"u", start}, {"cart.x", 0.7}, {"pole.x", 0.7}});
    const Trim trim = find_trim(model, at.state);
    CAPTURE(start);
    CHECK_MESSAGE(trim.balanced, trim.message);
    CHECK(std::abs(trim.state.u[0]) < exact * 11 * g);
    CHECK(trim.choices == 0);
    CHECK(trim.message.empty());
    CHECK(std::abs(value_of(model, trim.state, "cart.x") - 0.7) < exact);
  }
}

TEST_CASE("trim: on an incline the force carries the weight along the rail") {
  for (const double slope : {-0.7, -0.1, 0.2, 1.0, 1.5}) {
    const double gx = g * std::sin(slope), gy = -g * std::cos(slope);
    for (const double standing : {0.0, pi}) {
      CAPTURE(slope);
      CAPTURE(standing);
      const Model model = cart_pole(gx, gy, slope + standing, 5);
      const Trim trim = trimmed(model);
      CHECK_MESSAGE(trim.balanced, trim.message);
      CHECK(std::abs(trim.state.u[0] + 11 * gx) < exact * 11 * g);
      const Balance balance = balance_at(model, trim.state, 0.5);
      CHECK(balance.force < exact);
      CHECK(balance.gap < exact);
    }
  }
}

TEST_CASE("trim: a pole that leans cannot be held by the cart, and is named") {
  const Model model = cart_pole(0, -g, pi + 0.3);
  const Trim trim = trimmed(model);
  CHECK_FALSE(trim.balanced);
  CHECK(trim.worst_coordinate == "pole.phi");
  CHECK(contains(trim.message, "'pole.phi'"));
  CHECK(trim.unbalanced > 0.01);
  CHECK(std::abs(value_of(model, trim.state, "pole.phi") - (pi + 0.3)) < exact);
}

TEST_CASE("trim: the hinge torques that hold an arm of two bars are those of statics, in any pose") {
  const int poses = campaign_size(10, 1000);
  for (int seed = 0; seed < poses; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Arm arm{random.between(0.2, 2), random.between(0.5, 5),  random.between(0.2, 2),
                  random.between(0.5, 5), random.between(-pi, pi), random.between(-pi, pi)};
    const Model model = arm.model(motor("a", shoulder, 1, random.between(-9, 9)) + motor("b", elbow));
    const Trim trim = trimmed(model);
    CAPTURE(seed);
    CHECK_MESSAGE(trim.balanced, trim.message);
    CHECK(std::abs(trim.state.u[0] - arm.torque1()) < exact * arm.scale());
    CHECK(std::abs(trim.state.u[1] - arm.torque2()) < exact * arm.scale());
    CHECK(std::abs(value_of(model, trim.state, "lower.phi") - arm.phi2) < exact);
    CHECK(balance_at(model, trim.state, arm.l1).force < exact);
    CHECK(trim.inputs == std::vector<Index>{0, 1});

    const Equilibrium rest = find_equilibrium(model, trim.state, {.rest = EquilibriumRequest::check});
    CHECK_MESSAGE(rest.status == EquilibriumStatus::at_rest, rest.message);
  }
}

TEST_CASE("trim: of two inputs on one hinge the shortest change is taken") {
  const Arm arm{.phi1 = 0.4, .phi2 = -0.3};
  const Model model = arm.model(motor("a", shoulder, 1, 2) + motor("strong", shoulder, 3, -1) + motor("b", elbow));
  const Trim trim = trimmed(model);
  CHECK(trim.balanced);
  CHECK(trim.choices == 1);
  CHECK(contains(trim.message, "1 more input than needed"));
  const double missing = arm.torque1() - (2 - 3);  // and (1, 3) is the direction that works most for its length
  CHECK(std::abs(trim.state.u[0] - (2 + missing / 10)) < exact * arm.scale());
  CHECK(std::abs(trim.state.u[1] - (-1 + 3 * missing / 10)) < exact * arm.scale());
  CHECK(std::abs(trim.state.u[2] - arm.torque2()) < exact * arm.scale());
}

TEST_CASE("trim: inputs that are not free keep their values") {
  const Arm arm{.phi1 = 0.4, .phi2 = -0.3};
  const Model model = arm.model(motor("a", shoulder, 1, 2) + motor("strong", shoulder, 3, -1) + motor("b", elbow));
  const Trim trim = trimmed(model, {.inputs = {1, 2}});
  CHECK(trim.balanced);
  CHECK(trim.choices == 0);
  CHECK(trim.state.u[0] == 2);
  CHECK(std::abs(3 * trim.state.u[1] + 2 - arm.torque1()) < exact * arm.scale());
}

TEST_CASE("trim: what too few inputs cannot hold is left over, by name") {
  const Arm arm{.phi1 = 0.4, .phi2 = -0.3};
  const Model upper = arm.model(motor("a", shoulder));
  const Trim without_elbow = trimmed(upper);
  CHECK_FALSE(without_elbow.balanced);
  CHECK(without_elbow.worst_coordinate == "lower.phi");
  CHECK(contains(without_elbow.message, "no choice of these inputs holds it here"));
  CHECK(contains(without_elbow.message, "'lower.phi'"));

  // Straight up the elbow needs nothing.
  const Arm lucky{.phi1 = 0.4, .phi2 = pi / 2};
  CHECK(trimmed(lucky.model(motor("a", shoulder))).balanced);
}

TEST_CASE("trim: a cylinder holds a boom by virtual work") {
  for (const double angle : {-0.5, 0.1, 0.8, 1.2}) {
    const Model model = read_model_text(
        fmt::format("stillpoint: 1\nname: boom\ngravity: 0, -9.81\nmechanism:\n  - input: push\n"
                    "  - body: boom\n    at: 0, 0\n    angle: {}\n    mass: 40\n    centre: 1.5, 0\n"
                    "  - revolute: foot\n    between: ground, boom\n"
                    "  - actuator: cylinder\n    between: ground(0.5, -0.8), boom(1, 0)\n    input: push\n",
                    angle),
        "test");
    const double dx = std::cos(angle) - 0.5, dy = std::sin(angle) + 0.8;
    const double growth = (-dx * std::sin(angle) + dy * std::cos(angle)) / std::hypot(dx, dy);  // dl/dφ
    const double push = 40 * g * 1.5 * std::cos(angle) / growth;
    CAPTURE(angle);
    const Trim trim = trimmed(model);
    CHECK_MESSAGE(trim.balanced, trim.message);
    CHECK(std::abs(trim.state.u[0] - push) < exact * std::abs(push));
  }
}

TEST_CASE("trim: a linkage with a redundant link is held all the same") {
  std::ifstream file(STILLPOINT_SOURCE_DIR "/cases/five_bar_parallelogram/model.yaml");
  std::stringstream text;
  text << file.rdbuf() << motor("hold", "on: link[2]");
  for (const double angle : {-1.3, 0.4, 1.0, 2.5}) {
    CAPTURE(angle);
    const Trim trim = trimmed(read_model_text(text.str(), "test", {{"phi_guess", angle}}));
    CHECK_MESSAGE(trim.balanced, trim.message);
    // Three links of 1 kg whose middles rise by half, and the coupler of 2 kg, which rises by all of it.
    const double torque = (3 * 0.5 + 2) * g * std::cos(angle);
    CHECK(std::abs(trim.state.u[0] - torque) < exact * 5 * g);
  }
}

TEST_CASE("trim: the constraints are met first") {
  const Arm arm{.phi1 = 0.4, .phi2 = -0.3};
  const Model model = arm.model(motor("a", shoulder) + motor("b", elbow));
  const OperatingPoint off = operating_point(model, {{"lower.x", 1}, {"upper.phi", 0.5}});
  const Trim trim = find_trim(model, off.state);
  CHECK_MESSAGE(trim.balanced, trim.message);
  CHECK(balance_at(model, trim.state, 1).gap < exact);
  const Arm found{.phi1 = value_of(model, trim.state, "upper.phi"), .phi2 = value_of(model, trim.state, "lower.phi")};
  CHECK(std::abs(trim.state.u[0] - found.torque1()) < exact * arm.scale());
}

TEST_CASE("trim: constraints that cannot be met are refused before any force is looked at") {
  const Model model = read_model_text(
      "stillpoint: 1\nname: m\nmechanism:\n  - input: u\n  - point: P\n    at: 0, 0.1\n    mass: 1\n"
      "  - distance: left\n    between: ground(-1, 0), P\n    length: 0.9\n"
      "  - distance: right\n    between: ground(1, 0), P\n    length: 0.9\n"
      "  - force: pull\n    at: P\n    vector: 1, 0\n    input: u\n",
      "test");
  const Trim trim = trimmed(model);
  CHECK_FALSE(trim.balanced);
  CHECK(contains(trim.message, "the constraint residual is"));
}

TEST_CASE("trim: inputs that prescribe a motion are left alone, and refused if asked for") {
  const Arm arm{.phi1 = 0.4, .phi2 = -0.3};
  const std::string servo =
      "  - input: told\n    value: 0.4\n  - prescribed: servo\n    coordinate: upper.phi\n    input: told\n";
  const Model mixed = arm.model(servo + motor("b", elbow));
  const Trim trim = trimmed(mixed);
  CHECK_MESSAGE(trim.balanced, trim.message);
  CHECK(trim.inputs == std::vector<Index>{1});
  CHECK(trim.state.u[0] == 0.4);
  CHECK(std::abs(trim.state.u[1] - arm.torque2()) < exact * arm.scale());

  const std::string asked = error_of([&] { trimmed(mixed, {.inputs = {0, 1}}); });
  CHECK_MESSAGE(contains(asked, "input 'told' prescribes a motion"), asked);
  const std::string nothing_else = error_of([&] { trimmed(arm.model(servo)); });
  CHECK_MESSAGE(contains(nothing_else, "no input that is a force"), nothing_else);
  const std::string none = error_of([&] { trimmed(arm.model("")); });
  CHECK_MESSAGE(contains(none, "no input that is a force"), none);
}

TEST_CASE("operating point: names that do not exist are refused, with the nearest one that does") {
  const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/cart_pole");
  const std::string coordinate = error_of([&] { operating_point(model, {{"pole.ph", 1}}); });
  CHECK_MESSAGE(contains(coordinate, "no coordinate or input 'pole.ph'"), coordinate);
  CHECK_MESSAGE(contains(coordinate, "'pole.phi'"), coordinate);
  const std::string input = error_of([&] { operating_point(model, {{"U", 1}}); });
  CHECK_MESSAGE(contains(input, "no coordinate or input 'U'"), input);
  const std::string infinite = error_of([&] { operating_point(model, {{"u", INFINITY}}); });
  CHECK_MESSAGE(contains(infinite, "'u' cannot be inf"), infinite);
}
