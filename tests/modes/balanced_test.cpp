// Mechanisms that rest wherever they are put, since weights and springs balance exactly: the stiffness of the motion is
// a sum that cancels, and what rounding leaves of it is zero by all methods, at every position.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "stillpoint/linearize.h"
#include "stillpoint/modes.h"
#include "stillpoint/stability.h"
#include "support/case_runs.h"

using namespace stillpoint;

namespace {

struct Balanced {
  std::string name, text;
};

const std::vector<Balanced> mechanisms = {{"a wheel with its weights around the hinge", R"(
stillpoint: 1
parameters: {turn: 0.3, c: 0, more: 0}
gravity: 0, -9.81
mechanism:
  - body: wheel
    at: 0, 0
    angle: turn
    mass: 5
    inertia: 0.3
  - point_mass: heavy
    at: wheel(0.1, 0.2)
    mass: 3
  - point_mass: light
    at: wheel(-0.3, -0.6)
    mass: 1 + more
  - revolute: hinge
    between: ground, wheel
  - torsion_damper: friction
    between: ground, wheel
    damping: c
)"},
                                          {"a lamp on a spring without free length", R"(
stillpoint: 1
parameters: {turn: 0.3, c: 0, above: 0.37, out: 0.21, l: 0.6, m: 1.7}
gravity: 0, -9.81
mechanism:
  - body: arm
    at: 0, 0
    angle: turn
    mass: m
    inertia: 0.01
    centre: l, 0
  - revolute: hinge
    between: ground, arm
  - spring: holds
    between: ground(0, above), arm(out, 0)
    stiffness: m*9.81*l/(above*out)
    free_length: 0
  - torsion_damper: friction
    between: ground, arm
    damping: c
)"},
                                          {"two arms with counterweights", R"(
stillpoint: 1
parameters: {turn: 0.3, c: 0, bend: 1.1}
gravity: 0, -9.81
mechanism:
  - body: upper
    at: 0, 0
    angle: turn
  - point_mass: elbow
    at: upper(0.5, 0)
    mass: 2
  - point_mass: behind
    at: upper(-0.35, 0)
    mass: (2*0.5 + 7)/0.35
  - revolute: shoulder
    between: ground, upper
  - body: lower
    at: cos(turn), sin(turn)
    angle: bend
    inertia: 0.1
  - point_mass: hand
    at: lower(0.6, 0)
    mass: 3
  - point_mass: holds_hand
    at: lower(-0.45, 0)
    mass: 4
  - revolute: hinge
    between: upper(1, 0), lower
  - torsion_damper: friction
    between: ground, upper
    damping: c
)"}};

void check_free(const Spectrum& spectrum, Index dof, bool is_damped) {
  CAPTURE(spectrum.method);
  CAPTURE(spectrum.solver);
  CHECK(spectrum.certified);
  Index zeros = 0;
  for (const Mode& mode : spectrum.modes) zeros += mode.s == 0.0;
  CHECK(zeros == 2 * dof - is_damped);
}

}  // namespace

TEST_CASE("modes: what balances exactly is free, wherever it is put") {
  for (const Balanced& mechanism : mechanisms) {
    CAPTURE(mechanism.name);
    for (const double turn : {0.0, 0.1, 0.3, 1.0, 2.2, -0.7}) {
      for (const double c : {0.0, 0.5}) {
        CAPTURE(turn);
        CAPTURE(c);
        const Model model = read_model_text(mechanism.text, "balanced.yaml", {{"turn", turn}, {"c", c}});
        const LinearSystem system = linearize(model, find_equilibrium(model));
        const MinimalForm form = minimal_form(system);
        const TrueCount count = count_true(system, form);
        const Spectrum minimal = solve_modes(system, form);
        CHECK(judge(form, minimal).stability == Stability::neutral);
        check_free(minimal, system.dof(), c > 0);
        check_free(solve_modes(system, descriptor_form(system), count), system.dof(), c > 0);
        check_free(solve_modes(system, penalty_form(system), count), system.dof(), c > 0);
        const Spectrum sparse = solve_some(system, {.which = Lowest{2 * system.dof()}});
        check_free(sparse, system.dof(), c > 0);
        CHECK(judge_part(sparse).stability == Stability::neutral);
      }
    }
  }
}

TEST_CASE("modes: what balances but for a hundred millionth is held or pushed by that") {
  const double turn = std::atan(0.5);  // the lighter weight straight below the hinge
  for (const double more : {1e-8, -1e-8}) {
    CAPTURE(more);
    const Model model = read_model_text(mechanisms.front().text, "balanced.yaml", {{"turn", turn}, {"more", more}});
    const LinearSystem system = linearize(model, find_equilibrium(model));
    const double torque = 9.81 * std::abs(more) * std::hypot(0.3, 0.6), inertia = 0.3 + 3 * 0.05 + 0.45;
    const Spectrum spectrum = solve_modes(system, minimal_form(system));
    REQUIRE(spectrum.modes.size() == 2);
    for (const Mode& mode : spectrum.modes) {
      CHECK((mode.s.real() != 0) == (more < 0));
      CHECK(std::abs(mode.s) == doctest::Approx(std::sqrt(torque / inertia)).epsilon(1e-6));
    }
  }
}
