// Free lengths and angles that hold a mechanism where it is drawn, against force balances in closed form.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

#include "stillpoint/assembly.h"
#include "stillpoint/elements/spring.h"
#include "stillpoint/equilibrium.h"
#include "stillpoint/read_model.h"
#include "support/error_texts.h"
#include "support/seeded.h"

using namespace stillpoint;

namespace {

constexpr double exact = 1e-12;
constexpr double g = 9.81;

Model model_of(const std::string& mechanism) {
  return read_model_text("stillpoint: 1\nname: m\ngravity: 0, -9.81\nmechanism:\n" + mechanism, "test");
}

Preload preloaded(const Model& model, const std::vector<std::string>& elements = {}) {
  return find_preload(model, model.initial_state(), {.elements = elements});
}

/// A bar of 2 m and 3 kg, hinged at one end at an angle, and held by a spring from its tip to a point above the hinge.
std::string lamp(double angle, const std::string& spring) {
  return fmt::format(
      "  - body: arm\n    at: 0, 0\n    angle: {}\n    mass: 3\n    centre: 1, 0\n"
      "  - revolute: hinge\n    between: ground, arm\n"
      "  - fixed: A\n    at: 0, 1.5\n"
      "  - spring: s\n    between: A, arm(2, 0)\n    stiffness: 400\n{}",
      angle, spring);
}

/// The free length of that spring by the moments about the hinge.
double free_length_of_lamp(double angle) {
  const double x = 2 * std::cos(angle), y = 2 * std::sin(angle);
  const double l = std::hypot(x, 1.5 - y);
  const double lever = 1.5 * x / l;  // of the line of the spring about the hinge
  const double tension = 3 * g * std::cos(angle) / lever;
  return l - tension / 400;
}

}  // namespace

TEST_CASE("preload: the spring of a lamp takes the free length of the moment balance, stated or not") {
  Random random(7);
  for (int k = 0; k < 20; ++k) {
    const double angle = random.between(-0.6, 0.6);
    CAPTURE(angle);
    const Preload open = preloaded(model_of(lamp(angle, "    preload: true\n")));
    const Preload stated = preloaded(model_of(lamp(angle, "    free_length: 0.7\n    preload: true\n")));
    const Preload named = preloaded(model_of(lamp(angle, "    free_length: 0.7\n")), {"s"});
    for (const Preload& preload : {open, stated, named}) {
      REQUIRE(preload.balanced);
      REQUIRE(preload.numbers.size() == 1);
      CHECK(preload.model.name_of(preload.numbers[0]) == "s.free_length");
      CHECK(std::abs(preload.numbers[0].value - free_length_of_lamp(angle)) < exact);
      const Equilibrium rest = find_equilibrium(preload.model, preload.state, {.rest = EquilibriumRequest::nearest});
      CHECK(rest.status == EquilibriumStatus::at_rest);
      CHECK((rest.state.q - preload.state.q).norm() < 1e-9);
    }
  }
}

TEST_CASE("preload: torsion springs and scalar springs take free angles, in the plane and in space") {
  const std::string bar =
      "  - body: arm\n    at: 0, 0\n    angle: 0.3\n    mass: 3\n    centre: 1, 0\n"
      "  - revolute: hinge\n    between: ground, arm\n";
  const double torque = -3 * g * std::cos(0.3);  // of the weight
  const Preload plane = preloaded(model_of(bar + "  - torsion_spring: t\n    between: ground, arm\n    stiffness: 50\n"
                                                 "    preload: true\n"));
  REQUIRE(plane.balanced);
  CHECK(std::abs(plane.numbers[0].value - (0.3 - torque / 50)) < exact);
  const Preload scalar = preloaded(model_of(bar + "  - scalar_spring: t\n    of: arm.phi\n    stiffness: 50\n"), {"t"});
  REQUIRE(scalar.balanced);
  CHECK(std::abs(scalar.numbers[0].value - (0.3 - torque / 50)) < 1e-9);
  const Model in_space = read_model_text(
      "stillpoint: 1\ndimension: 3\ngravity: 0, -9.81, 0\nmechanism:\n"
      "  - body: arm\n    at: 0, 0, 0\n    mass: 3\n    inertia: 1, 1, 1\n    centre: 1, 0, 0\n"
      "  - revolute: hinge\n    between: ground, arm\n    axis: 0, 0, 1\n    at: 0, 0, 0\n"
      "  - torsion_spring: t\n    between: ground, arm\n    stiffness: 50\n    preload: true\n",
      "test");
  const Preload space = preloaded(in_space);
  REQUIRE(space.balanced);
  CHECK(std::abs(space.numbers[0].value - 3 * g / 50) < exact);
}

TEST_CASE("preload: where there is a choice the least change is taken, and it is said") {
  const std::string two =
      "  - point: P\n    at: 0, 0\n    mass: 2\n"
      "  - fixed: A\n    at: 0, 1\n"
      "  - spring: left\n    between: A, P\n    stiffness: 100\n    preload: true\n"
      "  - spring: right\n    between: A, P\n    stiffness: 100\n    preload: true\n"
      "  - fixed: B\n    at: 1, 0\n"
      "  - spring: side\n    between: B, P\n    stiffness: 100\n    free_length: 1\n";
  const Preload preload = preloaded(model_of(two));
  REQUIRE(preload.balanced);
  CHECK(preload.choices == 1);
  CHECK(contains(preload.message, "1 more spring than needed"));
  for (const ElementNumber& number : preload.numbers) CHECK(std::abs(number.value - (1 - g / 100)) < exact);
}

TEST_CASE("preload: what no spring can hold is named, and a length below zero is refused") {
  const std::string sideways =
      "  - point: P\n    at: 0, 0\n    mass: 2\n"
      "  - fixed: B\n    at: 1, 0\n"
      "  - spring: side\n    between: B, P\n    stiffness: 100\n    preload: true\n";
  const Preload open = preloaded(model_of(sideways));
  CHECK(!open.balanced);
  CHECK(contains(open.message, "most of it on 'P.y'"));
  const std::string soft =
      "  - point: P\n    at: 0, 0\n    mass: 2\n"
      "  - fixed: A\n    at: 0, 1\n"
      "  - spring: soft\n    between: A, P\n    stiffness: 10\n    preload: true\n"
      "  - fixed: B\n    at: 1, 0\n"
      "  - spring: side\n    between: B, P\n    stiffness: 100\n    free_length: 1\n";
  const Preload negative = preloaded(model_of(soft));
  CHECK(!negative.balanced);
  CHECK(contains(negative.message, "spring 'soft': free_length is -0.962; it must not be negative"));
}

TEST_CASE("preload: names that do not fit are refused") {
  const Model model =
      model_of(lamp(0.2, "    free_length: 0.7\n") + "  - damper: d\n    between: A, arm(2, 0)\n    damping: 1\n");
  const auto text = [&](const std::vector<std::string>& names) { return error_of([&] { preloaded(model, names); }); };
  CHECK(text({}) == "no spring of this model has 'preload: true', so there is nothing to preload");
  CHECK(text({"t"}) == "there is no spring 't'");
  CHECK(contains(text({"d"}), "'d' is a damper, which has no free length or angle; allowed are spring"));
}

TEST_CASE("models: a number of an element can have another value in a copy, and the model itself stays as it is") {
  const Model model = model_of(lamp(0.2, "    free_length: 0.7\n"));
  std::vector<ElementNumber> numbers = model.free_states({"s"});
  REQUIRE(numbers.size() == 1);
  CHECK(numbers[0].value == 0.7);
  numbers[0].value = 0;  // another law: without a direction at length zero
  const Model other = model.with(numbers);
  CHECK(other.free_states({"s"})[0].value == 0);
  CHECK(model.free_states({"s"})[0].value == 0.7);
  const State at = model.initial_state();
  CHECK(applied_forces(other, at) == applied_forces(model_of(lamp(0.2, "    free_length: 0\n")), at));
  CHECK(Eigen::MatrixXd(Assembly(other).at(at).K) ==
        Eigen::MatrixXd(Assembly(model_of(lamp(0.2, "    free_length: 0\n"))).at(at).K));
}
