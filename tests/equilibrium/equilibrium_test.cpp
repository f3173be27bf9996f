// Rest positions of mechanisms that are known in closed form: where, how stable, with what freedom.

#include "stillpoint/equilibrium.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <numbers>

#include "stillpoint/operating_point.h"
#include "stillpoint/read_model.h"
#include "support/error_texts.h"

using namespace stillpoint;

namespace {

using std::numbers::pi;

// What remains after a well-conditioned solve in double precision, and what the printed figures of [González 2017]
// carry.
constexpr double exact = 1e-12, printed = 5e-5;

Model model_of_case(const std::string& name, const Parameters& parameters = {}) {
  return read_model(STILLPOINT_SOURCE_DIR "/cases/" + name, parameters);
}

double value(const Model& model, const Equilibrium& rest, const std::string& name) {
  for (Index i = 0; i < model.coordinates(); ++i) {
    if (model.coordinate_name(i) == name) return coordinate_value(model, rest.state, i);
  }
  throw std::invalid_argument("no coordinate " + name);
}

double turned_to(double angle) { return std::remainder(angle, 2 * pi); }

std::string said(const Model& model, const Equilibrium& rest) { return to_text(model, rest); }

}  // namespace

TEST_CASE("equilibrium: the four-bar rests where González 2017 prints it, from either side") {
  const std::pair<int, double> table[] = {{1, 2.2343}, {5, 1.8922}, {10, 1.8454}, {15, 1.8296}, {20, 1.8217}};
  for (const std::pair<int, double>& row : table) {
    const int N = row.first;
    const double phi = row.second;
    for (const double guess : {phi - 0.2, phi + 0.3, phi + 0.6}) {
      CAPTURE(N);
      CAPTURE(guess);
      const Model model = model_of_case("four_bar", {{"N", N}, {"phi_guess", guess}});
      const Equilibrium rest = find_equilibrium(model);
      REQUIRE_MESSAGE(rest.status == EquilibriumStatus::at_rest, said(model, rest));
      CHECK(std::abs(turned_to(value(model, rest, "phi")) - phi) < printed);
      CHECK(rest.verdict == "stable (conservative)");
      CHECK(rest.unstable_directions == 0);
      CHECK(rest.neutral_directions == 0);
      CHECK(rest.force_residual < exact);
      CHECK(rest.constraint_residual < exact);
      CHECK(rest.kind == ConfigurationType::regular);
      CHECK(rest.dof == 1);
    }
  }
}

TEST_CASE("equilibrium: the nearest rest position may be unstable, and is called so") {
  const Model model = model_of_case("four_bar", {{"N", 3}, {"phi_guess", 1.5}});
  const Equilibrium nearest = find_equilibrium(model, {.rest = EquilibriumRequest::nearest});
  REQUIRE_MESSAGE(nearest.status == EquilibriumStatus::at_rest, said(model, nearest));
  CHECK(std::abs(value(model, nearest, "phi") - pi / 2) < 1e-10);
  CHECK(nearest.unstable_directions == 1);
  CHECK(nearest.verdict == "unstable");

  const Model upright = model_of_case("four_bar", {{"N", 3}, {"phi_guess", pi / 2}});
  const Equilibrium stable = find_equilibrium(upright);
  REQUIRE_MESSAGE(stable.status == EquilibriumStatus::at_rest, said(upright, stable));
  CHECK(stable.unstable_directions == 0);
  CHECK(std::abs(value(upright, stable, "phi") - pi / 2) > 0.1);
  CHECK(stable.fallbacks.size() > 0);
}

TEST_CASE("equilibrium: a guess that is only checked is not moved") {
  const Model model = model_of_case("four_bar", {{"N", 2}, {"phi_guess", 1.9}});
  const Equilibrium off = find_equilibrium(model, {.rest = EquilibriumRequest::check});
  CHECK(off.status == EquilibriumStatus::not_at_rest);
  CHECK(off.message.find("not an equilibrium: force residual") == 0);
  CHECK(off.state.q == model.initial_state().q);

  const Model upright = model_of_case("four_bar", {{"N", 2}, {"phi_guess", pi / 2}});
  const Equilibrium on = find_equilibrium(upright, {.rest = EquilibriumRequest::check});
  CHECK_MESSAGE(on.status == EquilibriumStatus::at_rest, said(upright, on));
  CHECK(on.unstable_directions == 1);
}

TEST_CASE("equilibrium: a search finds the three rest positions of the four-bar's parallelogram") {
  const Model model = model_of_case("four_bar", {{"N", 1}});
  const std::vector<Equilibrium> found = find_equilibria(model, model.initial_state());
  struct Wanted {
    double phi;
    Index unstable;
    bool seen = false;
  };
  Wanted wanted[] = {{2.2343, 0}, {pi / 2, 1}, {-pi / 2, 0}};
  for (const Equilibrium& rest : found) {
    CHECK(rest.force_residual < 1e-8);  // also where a spring has hardly any length
    const double y0 = value(model, rest, "B[0].y"), y1 = value(model, rest, "B[1].y");
    if (std::abs(y0 - y1) > 1e-6) continue;  // not a parallelogram
    for (Wanted& one : wanted) {
      if (std::abs(turned_to(value(model, rest, "phi")) - one.phi) > printed) continue;
      one.seen = true;
      CHECK(rest.unstable_directions == one.unstable);
    }
  }
  for (const Wanted& one : wanted) CHECK_MESSAGE(one.seen, "phi = " << one.phi);
}

TEST_CASE("equilibrium: the flat four-bar is singular, with all its branches") {
  for (const int N : {1, 2, 3}) {
    CAPTURE(N);
    const Model model = model_of_case("four_bar", {{"N", N}, {"k", 0}, {"gx", 9.81}, {"gy", 0}, {"phi_guess", 0}});
    const Equilibrium rest = find_equilibrium(model);
    REQUIRE_MESSAGE(rest.status == EquilibriumStatus::at_rest, said(model, rest));
    CHECK(rest.kind == ConfigurationType::singular);
    CHECK(rest.rank.value == model.constraints() - N);
    CHECK(rest.dof == N + 1);
    CHECK(rest.free_multipliers == N);
    CHECK(rest.redundant_equations == 0);
    for (const Branch& branch : rest.branches) CHECK_MESSAGE(branch.confirmed, branch.name);
    CHECK(rest.verdict == "stable (conservative)");
    if (N == 1) {
      REQUIRE(rest.branches.size() == 2);
      // Both cranks together, and the first crank still.
      const bool first_is_still = rest.branches[0].name.find("B[0] stands still") != std::string::npos;
      CHECK(first_is_still != (rest.branches[1].name.find("B[0] stands still") != std::string::npos));
    }
    // For neighbours y (y' − y) = 0: cranks stand still up to some one, and from there on all go together.
    CHECK(static_cast<int>(rest.branches.size()) == N + 1);
  }
}

// Newton's method creeps there, for J loses the rank that it needs; and what is left of the columns of y at 1e-9 from
// the flat position looks like another unit.
TEST_CASE("equilibrium: the flat four-bar is found from guesses that are not flat") {
  for (const int N : {1, 2, 3}) {
    for (const double guess : {-1.0, -0.3, 0.01, 0.1, 0.3, 1.0, 2.5}) {
      CAPTURE(N);
      CAPTURE(guess);
      const Model model =
          model_of_case("four_bar", {{"N", N}, {"k", 0}, {"gx", 9.81}, {"gy", 0}, {"phi_guess", guess}});
      const Equilibrium rest = find_equilibrium(model);
      REQUIRE_MESSAGE(rest.status == EquilibriumStatus::at_rest, said(model, rest));
      CHECK(rest.kind == ConfigurationType::singular);
      CHECK(rest.rank.value == model.constraints() - N);
      CHECK(static_cast<int>(rest.branches.size()) == N + 1);
    }
  }
}

TEST_CASE("equilibrium: a flat parallelogram of rods is found from anywhere, however its ends creep there") {
  for (int start = -15; start <= 15; ++start) {
    const double angle = 0.2 * start + 0.05;
    const std::string tip = "cos(" + std::to_string(angle) + "), sin(" + std::to_string(angle) + ")";
    const Model model = read_model_text(
        "stillpoint: 1\ngravity: 9.81, 0\nmechanism:\n- point: A\n  at: " + tip + "\n- point: B\n  at: 2 + " + tip +
            "\n- rod: a\n  between: ground, A\n  length: 1\n  mass: 1\n- rod: b\n  between: A, B\n  length: 2\n"
            "  mass: 2\n- rod: c\n  between: ground(2, 0), B\n  length: 1\n  mass: 1\n",
        "parallelogram.yaml");
    CAPTURE(angle);
    const Equilibrium rest = find_equilibrium(model);
    REQUIRE_MESSAGE(rest.status == EquilibriumStatus::at_rest, said(model, rest));
    CHECK(rest.kind == ConfigurationType::singular);
    CHECK(rest.branches.size() == 2);
    CHECK(std::abs(value(model, rest, "A.x") - 1) < exact);
    CHECK(std::abs(value(model, rest, "B.x") - 3) < exact);
  }
}

TEST_CASE("equilibrium: a chain of many links that is let go from level ends hanging") {
  constexpr int links = 300;
  std::string text = "stillpoint: 1\ngravity: 0, -9.81\nmechanism:\n";
  for (int i = 1; i <= links; ++i) {
    const std::string name = "P" + std::to_string(i), before = i == 1 ? "ground" : "P" + std::to_string(i - 1);
    text += "- point: " + name + "\n  at: " + std::to_string(i) + ", 0\n  mass: 1\n- distance: d" + std::to_string(i) +
            "\n  between: " + before + ", " + name + "\n  length: 1\n";
  }
  const Model model = read_model_text(text, "chain.yaml");
  const Equilibrium rest = find_equilibrium(model);
  REQUIRE_MESSAGE(rest.status == EquilibriumStatus::at_rest, rest.message);
  CHECK(rest.verdict == "stable (conservative)");
  CHECK(std::abs(value(model, rest, "P300.y") + links) < 1e-9);
}

TEST_CASE("equilibrium: five bars in parallel have one equation too many, and are called redundant") {
  const Model model = model_of_case("five_bar_parallelogram", {{"phi_guess", -1.3}});
  const Equilibrium rest = find_equilibrium(model);
  REQUIRE_MESSAGE(rest.status == EquilibriumStatus::at_rest, said(model, rest));
  CHECK(rest.rank.value == 11);
  CHECK(rest.kind == ConfigurationType::redundant);
  CHECK(rest.redundant_equations == 1);
  CHECK(rest.dof == 1);
  REQUIRE(rest.dependent_sets.size() == 1);
  CHECK(rest.dependent_sets[0].size() >= 3);
  CHECK(rest.unstable_directions == 0);
  CHECK(std::abs(turned_to(value(model, rest, "link[1].phi")) + pi / 2) < 1e-9);

  const Model flat = model_of_case("five_bar_parallelogram", {{"phi_guess", 0}});
  const Equilibrium at_flat = find_equilibrium(flat, {.rest = EquilibriumRequest::check});
  CHECK_MESSAGE(at_flat.rank.value == 10, said(flat, at_flat));
}

TEST_CASE("equilibrium: Bennett's linkage moves, although Grübler counts minus two; also with rounded lengths") {
  const double b = 0.4 * std::sin(50 * pi / 180) / std::sin(30 * pi / 180);
  for (const double rounded : {b, std::round(b * 1e8) / 1e8, std::round(b * 1e6) / 1e6}) {
    CAPTURE(rounded - b);
    const Model model = model_of_case("four_bar_spatial", {{"b", rounded}});
    const Equilibrium rest = find_equilibrium(model);
    REQUIRE_MESSAGE(rest.status == EquilibriumStatus::at_rest, said(model, rest));
    CHECK_MESSAGE(rest.dof == 1, said(model, rest));
    CHECK(rest.rank.value == 17);
    CHECK(rest.kind == ConfigurationType::redundant);
    CHECK(rest.redundant_equations == 3);
  }
}

TEST_CASE("equilibrium: a particle on two rods in one line is isolated") {
  const Model model = read_model_text(
      "stillpoint: 1\nname: m\nmechanism:\n"
      "  - point: P\n    at: 0, 0\n    mass: 1\n"
      "  - distance: left\n    between: ground(-1, 0), P\n    length: 1\n"
      "  - distance: right\n    between: ground(1, 0), P\n    length: 1\n",
      "test");
  const Equilibrium rest = find_equilibrium(model);
  REQUIRE_MESSAGE(rest.status == EquilibriumStatus::at_rest, said(model, rest));
  CHECK(rest.rank.value == 1);
  CHECK(rest.kind == ConfigurationType::isolated);
  CHECK(rest.branches.empty());
}

// Their distance fixes how high the particle may stand above or below the line: not at all, or by this.
TEST_CASE("equilibrium: two rods in one line hold no load across them, but two that are bent the least do") {
  const auto rest_of = [](double sag) {
    const double length = std::sqrt(1 + sag * sag);
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.17g", length);
    const std::string text = std::string("stillpoint: 1\ngravity: 0, -9.81\nmechanism:\n- point: P\n  at: 1, ") +
                             (sag > 0 ? "-0.01" : "0") + "\n  mass: 1\n" +
                             "- distance: a\n  between: ground, P\n  length: " + digits +
                             "\n- distance: b\n  between: ground(2, 0), P\n  length: " + digits + "\n";
    return find_equilibrium(read_model_text(text, "rods.yaml"));
  };
  CHECK(rest_of(0).status != EquilibriumStatus::at_rest);
  CHECK(rest_of(0).message.find("dead position") != std::string::npos);
  for (const double sag : {1e-2, 1e-4, 1e-6}) {
    CAPTURE(sag);
    CHECK(rest_of(sag).status == EquilibriumStatus::at_rest);
  }
}

TEST_CASE("equilibrium: constraints that contradict each other are refused by name") {
  const Model model = read_model_text(
      "stillpoint: 1\nname: m\nmechanism:\n"
      "  - point: P\n    at: 0, 0.1\n    mass: 1\n"
      "  - point: Q\n    at: 3, 3\n    mass: 1\n"
      "  - distance: left\n    between: ground(-1, 0), P\n    length: 0.9\n"
      "  - distance: right\n    between: ground(1, 0), P\n    length: 0.9\n"
      "  - distance: other\n    between: ground(3, 4), Q\n    length: 1\n",
      "test");
  const Equilibrium rest = find_equilibrium(model);
  CHECK(rest.status == EquilibriumStatus::not_assembled);
  CHECK(rest.message.find("'left', 'right' contradict each other") != std::string::npos);
  CHECK(rest.message.find("'other'") == std::string::npos);
}

TEST_CASE("equilibrium: what nothing holds has no rest position") {
  const Model model = read_model_text(
      "stillpoint: 1\nname: m\ngravity: 0, -9.81\nmechanism:\n  - point: P\n    at: 0, 0\n    mass: 1\n", "test");
  const Equilibrium rest = find_equilibrium(model);
  CHECK(rest.status == EquilibriumStatus::not_converged);
  CHECK(rest.message.find("P.y") != std::string::npos);
}

TEST_CASE("equilibrium: a body in free space is at rest and neutral") {
  const Model model = read_model_text(
      "stillpoint: 1\nname: m\nmechanism:\n  - body: B\n    at: 1, 2\n    mass: 1\n    inertia: 1\n", "test");
  const Equilibrium rest = find_equilibrium(model);
  CHECK(rest.status == EquilibriumStatus::at_rest);
  CHECK(rest.neutral_directions == 3);
  CHECK(rest.verdict == "neutral");
}

TEST_CASE("equilibrium: chains of pendulums have 2ⁿ rest positions, each with as many unstable directions as stand") {
  for (int n = 1; n <= 6; ++n) {
    for (int standing = 0; standing < (1 << n); ++standing) {
      std::string text = "stillpoint: 1\nname: m\ngravity: 0, -9.81\nmechanism:\n";
      double y = 0;
      Index count = 0;
      for (int i = 0; i < n; ++i) {
        const bool up = (standing >> i) & 1;
        count += up;
        y += up ? 1 : -1;
        text += "  - point: P" + std::to_string(i) + "\n    at: " + std::to_string(0.01 * (i % 3)) + ", " +
                std::to_string(y) + "\n    mass: 1\n";
        text += "  - distance: rod" + std::to_string(i) +
                "\n    between: " + (i == 0 ? std::string("ground(0, 0)") : "P" + std::to_string(i - 1)) + ", P" +
                std::to_string(i) + "\n    length: 1\n";
      }
      const Model model = read_model_text(text, "test");
      const Equilibrium rest = find_equilibrium(model, {.rest = EquilibriumRequest::nearest});
      CAPTURE(n);
      CAPTURE(standing);
      REQUIRE_MESSAGE(rest.status == EquilibriumStatus::at_rest, said(model, rest));
      CHECK(std::abs(value(model, rest, "P" + std::to_string(n - 1) + ".y") - y) < 1e-10);
      CHECK(rest.unstable_directions == count);
      CHECK(rest.neutral_directions == 0);
      const Equilibrium hanging = find_equilibrium(model);
      REQUIRE_MESSAGE(hanging.status == EquilibriumStatus::at_rest, said(model, hanging));
      CHECK(hanging.unstable_directions == 0);
      CHECK(std::abs(value(model, hanging, "P" + std::to_string(n - 1) + ".y") + n) < 1e-10);
    }
  }
}

// Its null vectors are wrong by what J makes of rounding: that is no bending, and it was called isolated.
TEST_CASE("equilibrium: a scissor lift of many stages in space can move, though all of its hinges are redundant") {
  const Model model = read_model_text(R"yaml(
stillpoint: 1
dimension: 3
gravity: 0, -9.81, 0
parameters: {t: -0.7, N: 24}
mechanism:
  - for: i in 1..N
    do:
      - body: a[i]
        at: 0, (i-1)*sin(t), 0
        rotation: 0, 0, t
        mass: 2
        inertia: 0.01, 1/6, 1/6
        centre: 1/2, 0, 0
      - body: b[i]
        at: cos(t), (i-1)*sin(t), 0
        rotation: 0, 0, pi - t
        mass: 2
        inertia: 0.01, 1/6, 1/6
        centre: 1/2, 0, 0
      - {revolute: "mid[i]", between: "a[i], b[i]", at: "cos(t)/2, (i-1/2)*sin(t), 0", axis: "0, 0, 1"}
  - for: i in 2..N
    do:
      - {revolute: "left[i]", between: "b[i-1], a[i]", at: "0, (i-1)*sin(t), 0", axis: "0, 0, 1"}
      - {revolute: "right[i]", between: "a[i-1], b[i]", at: "cos(t), (i-1)*sin(t), 0", axis: "0, 0, 1"}
  - {revolute: foot, between: "ground, a[1]", axis: "0, 0, 1"}
  - {point_on_line: roller, line: "ground(0, 0, 0, 0, 90*deg, 0)", point: "b[1]"}
  - {spring: s, between: "ground, b[1]", stiffness: 20000, free_length: 0.75}
)yaml",
                                      "lift");
  const Equilibrium rest = find_equilibrium(model);
  REQUIRE_MESSAGE(rest.status == EquilibriumStatus::at_rest, said(model, rest));
  CHECK(rest.kind == ConfigurationType::redundant);
  CHECK(rest.dof == 1);
  CHECK(rest.redundant_equations == 70);
  CHECK(rest.verdict == "stable (conservative)");
}

// All constraints count on the way; beside the rest position they nearly depend on each other.
TEST_CASE("equilibrium: a platform that hangs on two straight pairs of links is found from afar") {
  const Model model = read_model_text(R"yaml(
stillpoint: 1
gravity: 0, -9.81
parameters: {l: 0.5, t: 0.5}
mechanism:
  - {body: platform, at: "0, -2*l*cos(t)", mass: 1, inertia: 0.1}
  - {prismatic: guide, between: "ground(0, 0, 90*deg), platform(0, 0, 90*deg)"}
  - for: i in 0..1
    do:
      - {body: "u[i]", at: "2*i - 1, 0", angle: "-90*deg + (2*i-1)*t", mass: 0.1, inertia: 0.002, centre: "l/2, 0"}
      - body: v[i]
        at: 2*i - 1 + (2*i-1)*l*sin(t), -l*cos(t)
        angle: -90*deg - (2*i-1)*t
        mass: 0.1
        inertia: 0.002
        centre: l/2, 0
      - {revolute: "A[i]", between: "ground(2*i-1, 0), u[i]"}
      - {revolute: "B[i]", between: "u[i](l, 0), v[i]"}
      - {revolute: "C[i]", between: "v[i](l, 0), platform(2*i-1, 0)"}
)yaml",
                                      "test");
  const Equilibrium rest = find_equilibrium(model);
  REQUIRE_MESSAGE(rest.status == EquilibriumStatus::at_rest, said(model, rest));
  CHECK(rest.kind == ConfigurationType::singular);
  CHECK(rest.branches.size() == 2);
  CHECK(rest.verdict == "stable (conservative)");
}

TEST_CASE("equilibrium: an element without a direction is named, with the reason") {
  const auto text = [](const std::string& where) {
    return error_of([&] {
      find_equilibrium(read_model_text("stillpoint: 1\nname: m\nmechanism:\n  - point: P\n    at: " + where +
                                           "\n    mass: 1\n  - spring: s\n    between: ground, P\n    stiffness: 3\n"
                                           "    free_length: 1\n",
                                       "test"));
    });
  };
  CHECK(text("0, 0") ==
        "the force on 'P.x' has no value at the guess: the ends of spring 's' coincide, so that it has no direction; "
        "move one of them");
}

TEST_CASE("equilibrium: a spring that is compressed to less than half its free length is told") {
  const auto warnings = [](double free_length) {
    const Equilibrium rest = find_equilibrium(
        read_model_text(
            fmt::format("stillpoint: 1\nname: m\nmechanism:\n  - point: P\n    at: 1, 0\n    mass: 1\n"
                        "  - fixed: A\n    at: 2, 0\n  - spring: long\n    between: ground, P\n    stiffness: 100\n"
                        "    free_length: {}\n  - spring: strong\n    between: A, P\n    stiffness: 1e5\n"
                        "    free_length: 1\n",
                        free_length),
            "test"),
        {.rest = EquilibriumRequest::nearest});
    REQUIRE(rest.status == EquilibriumStatus::at_rest);
    return rest.warnings;
  };
  CHECK(warnings(1.5).empty());
  REQUIRE(warnings(3).size() == 1);
  CHECK(contains(warnings(3)[0], "spring 'long' is compressed to 33 % of its free length"));
}
