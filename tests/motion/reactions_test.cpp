// Reactions over time against closed forms, and which of them redundant constraints leave open.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "stillpoint/assembly.h"
#include "stillpoint/elements/all.h"
#include "stillpoint/motion.h"
#include "stillpoint/outputs.h"
#include "support/motion/loops.h"
#include "support/seeded.h"

using namespace stillpoint;
using Eigen::Vector2d, Eigen::VectorXd;

namespace {

Index output_called(const Model& model, const std::string& name) {
  for (Index i = 0; i < model.outputs(); ++i) {
    if (model.output_name(i) == name) return i;
  }
  FAIL("there is no output " << name);
  return 0;
}

double value_of(const Model& model, const State& state, const std::string& name) {
  return observe(model, state).y[output_called(model, name)];
}

}  // namespace

TEST_CASE("reactions: the hinge of a physical pendulum") {
  // m (a − g) at the centre of mass.
  constexpr double m = 2, J = 0.3, rho = 0.7, gravity = 9.81, start = 0.2;
  ModelBuilder build("pendulum");
  build.gravity({0, -gravity, 0});
  const auto body = build.body("bar", {0, 0}, {.angle = start, .mass = m, .inertia = J, .centre = {rho, 0}});
  build.add("hinge", Revolute{.a = ground, .b = body});
  const Model model = build.model().with_reactions();
  REQUIRE(model.outputs() == 2);
  CHECK(model.output_name(0) == "hinge.fx");
  struct Expected {
    double angle;
    Vector2d force;
  };
  for (const Expected& expected : {Expected{0.2, {2.92483598, 5.19133111}}, Expected{-0.5, {-24.19829448, 17.81802603}},
                                   Expected{-std::acos(0.0), {0, 55.6317725}}}) {
    CAPTURE(expected.angle);
    State state = model.initial_state();
    state.q[2] = expected.angle;
    // From rest at the start: ½ (J + mρ²) ω² = m g ρ (sin start − sin angle).
    state.v = VectorXd::Zero(3);
    state.v[2] = -std::sqrt(
        std::max(0.0, 2 * m * gravity * rho * (std::sin(start) - std::sin(expected.angle)) / (J + m * rho * rho)));
    const Accelerations now = accelerations(model, state);
    state.a = now.a;
    state.lambda = now.lambda;
    const VectorXd force = observe(model, state).y;
    CHECK(force[0] == doctest::Approx(expected.force.x()).epsilon(1e-8));
    CHECK(force[1] == doctest::Approx(expected.force.y()).epsilon(1e-8));
  }
}

TEST_CASE("reactions: the loads of a motion carry the weight and the accelerations of all that moves") {
  // Of the parallel cranks as bodies: Σ forces on the ground = Σ m (a − g), at every record.
  ModelBuilder build("two cranks");
  build.gravity({0, -loops::g, 0});
  const double angle = 1;
  const auto coupler = build.body("coupler", {0.5 + std::cos(angle), std::sin(angle)}, {.mass = 2, .inertia = 0.2});
  for (int k = 0; k < 2; ++k) {
    const auto number = static_cast<std::int64_t>(k);
    const auto crank = build.body(Name("crank", {number}), {static_cast<double>(k), 0},
                                  {.angle = angle, .mass = 1, .inertia = 1.0 / 12, .centre = {0.5, 0}});
    build.add(Name("foot", {number}),
              Revolute{.a = build.fixed(Name("A", {number}), {static_cast<double>(k), 0}), .b = crank});
    build.add(Name("head", {number}), Revolute{.a = build.marker(Name("B", {number}), crank, {1, 0}),
                                               .b = build.marker(Name("C", {number}), coupler, {k - 0.5, 0})});
  }
  const Model model = build.model().with_reactions();
  const Motion motion = integrate(model, consistent_state(model, model.initial_state()),
                                  {.times = times_until(0.8, 0.1), .keeps_states = true});
  REQUIRE(motion.status == MotionStatus::done);
  for (std::size_t k = 0; k < motion.states.size(); ++k) {
    const State& state = motion.states[k];
    const auto column = static_cast<Eigen::Index>(k);
    double fx = 0, fy = 0;
    for (const char* const foot : {"foot[0]", "foot[1]"}) {
      fx += motion.outputs(output_called(model, std::string(foot) + ".fx"), column);
      fy += motion.outputs(output_called(model, std::string(foot) + ".fy"), column);
    }
    // Both cranks move alike; their centres are in the middle.
    const double phi = state.q[5], w = state.v[5], alpha = state.a[5];
    const Vector2d head(-std::sin(phi) * alpha - std::cos(phi) * w * w, std::cos(phi) * alpha - std::sin(phi) * w * w);
    const Vector2d total = 2 * 1 * 0.5 * head + 2 * head + 4 * Vector2d(0, loops::g);
    CHECK(fx == doctest::Approx(total.x()).epsilon(1e-9));
    CHECK(fy == doctest::Approx(total.y()).epsilon(1e-9));
  }
}

TEST_CASE("reactions: those that redundant constraints leave open are named together, and the others are unique") {
  // A beam on three supports along its line: the two vertical forces at its ends and in the middle share an unknown.
  ModelBuilder build("beam");
  build.gravity({0, -9.81, 0});
  const auto beam = build.body("beam", {0, 0}, {.mass = 3, .inertia = 1});
  for (const double x : {-1.0, 0.0, 1.0}) {
    const auto number = static_cast<std::int64_t>(x + 2);
    const auto foot = build.fixed(Name("A", {number}), {x, -1});
    build.add(Name("strut", {number}),
              Distance{.a = foot, .b = build.marker(Name("B", {number}), beam, {x, 0}), .length = 1});
  }
  build.add("slide", Distance{.a = build.fixed("wall", {-3, 0}), .b = build.marker("end", beam, {-2, 0}), .length = 1});
  const Model model = build.model().with_reactions();
  State state = consistent_state(model, model.initial_state());
  const auto shared = shared_reactions(model, state);
  REQUIRE(shared.size() == 1);
  CHECK(shared[0].unknowns == 1);
  std::vector<std::string> names;
  for (const Index output : shared[0].outputs) names.push_back(model.output_name(output));
  CHECK(names == std::vector<std::string>{"strut[1].fy", "strut[2].fy", "strut[3].fy"});

  // λ + N c moves these and no others.
  MotionAssembly assembly(model);
  const Eigen::MatrixXd N = Eigen::MatrixXd(find_dependent_rows(assembly.at(state).J).null_vectors);
  const Accelerations now = accelerations(model, state);
  state.lambda = now.lambda;
  const VectorXd before = observe(model, state).y;
  Random random(1);
  for (int k = 0; k < 1000; ++k) {
    state.lambda = now.lambda + N * random.vector(N.cols(), -10, 10);
    const VectorXd change = (observe(model, state).y - before).cwiseAbs();
    for (Index i = 0; i < model.outputs(); ++i) {
      const bool is_shared = std::count(shared[0].outputs.begin(), shared[0].outputs.end(), i) > 0;
      if (!is_shared) CHECK(change[i] < 1e-10);
    }
    CHECK(value_of(model, state, "strut[1].fy") + value_of(model, state, "strut[2].fy") +
              value_of(model, state, "strut[3].fy") ==
          doctest::Approx(3 * 9.81));
  }
  CHECK(shared_reactions(loops::parallel(2, 1).with_reactions(), loops::pushed(loops::parallel(2, 1))).empty());
}
