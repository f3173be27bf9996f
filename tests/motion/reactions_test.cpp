// Reactions over time against closed forms, and which of them redundant constraints leave open.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "stillpoint/assembly.h"
#include "stillpoint/elements/all.h"
#include "stillpoint/motion.h"
#include "stillpoint/outputs.h"
#include "support/motion/loops.h"
#include "support/motion/moving_cases.h"
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
  constexpr double m = 2, I = 0.3, l = 0.7, g = 9.81, from = 0.2;
  const Model model =
      cases::model_called("pendulum_body", {{"m", m}, {"I", I}, {"l", l}, {"c", 0}, {"phi_guess", from}})
          .with_reactions();
  const Index fx = cases::output_of(model, "hinge.fx"), fy = cases::output_of(model, "hinge.fy");
  const Index phi = cases::coordinate_of(model, "bar.phi");
  // m (a − g) at the centre of mass, with ½ (I + m l²) ω² = m g l (sin from − sin φ).
  const auto force_at = [&](double angle) {
    const double inertia = I + m * l * l, alpha = -m * g * l * std::cos(angle) / inertia;
    const double square = 2 * m * g * l * (std::sin(from) - std::sin(angle)) / inertia;
    return Vector2d(m * l * (-std::sin(angle) * alpha - std::cos(angle) * square),
                    m * l * (std::cos(angle) * alpha - std::sin(angle) * square) + m * g);
  };
  struct Expected {
    double angle;
    Vector2d force;
  };
  constexpr double half_a_digit = 5e-8;  // of those that are given
  for (const Expected& expected : {Expected{0.2, {2.92483598, 5.19133111}}, Expected{-0.5, {-24.19829448, 17.81802603}},
                                   Expected{-std::acos(0.0), {0, 55.6317725}}}) {
    CAPTURE(expected.angle);
    CHECK((force_at(expected.angle) - expected.force).norm() < half_a_digit);
    // The motion ends where the angle is reached.
    const Motion motion = integrate(model, cases::started(model),
                                    {.times = {0, expected.angle < from ? 2.0 : 1e-9},
                                     .tolerance = 1e-12,
                                     .crossings = {{.index = phi, .value = expected.angle, .is_coordinate = true}}});
    CHECK(motion.end.q[phi] == doctest::Approx(expected.angle).epsilon(1e-9));
    const Vector2d found(motion.outputs(fx, motion.outputs.cols() - 1), motion.outputs(fy, motion.outputs.cols() - 1));
    CHECK((found - expected.force).norm() < half_a_digit);
    CHECK((found - force_at(motion.end.q[phi])).norm() < 1e-10 * expected.force.norm());
  }
}

TEST_CASE("reactions: the ground forces of A02 after ten seconds") {
  // All cranks turn and all couplers translate: Σ = S (−s α − c ω², c α − s ω²) + (0, (2N + 1) g), s = sin θ, c = cos
  // θ.
  struct Expected {
    Index N;
    Vector2d head, rate, sum;  ///< of B[0] and its rate by elliptic functions, and all ground forces
    std::vector<Vector2d> single;
  };
  const auto feet_of = [](const Model& model, const VectorXd& outputs, Index N) {
    std::vector<Vector2d> feet;
    for (Index i = 0; i <= N; ++i) {
      const std::string foot = "foot[" + std::to_string(i) + "]";
      feet.emplace_back(outputs[output_called(model, foot + ".fx")], outputs[output_called(model, foot + ".fy")]);
    }
    return feet;
  };
  const auto sum_of = [](const std::vector<Vector2d>& feet) {
    return std::accumulate(feet.begin(), feet.end(), Vector2d(0, 0));
  };
  for (const Expected& expected :
       {Expected{
            1, {0.478385057761, 0.8781501787912}, {1.727264075547, -0.9409521793715}, {6.18910832, 17.24707095}, {}},
        Expected{2,
                 {0.3284581115408, 0.9445185381786},
                 {1.423051470207, -0.494868845487},
                 {9.81766355, 37.22430459},
                 {{2.899809119, 11.336229883}, {4.018045308, 14.551844824}}}}) {
    CAPTURE(expected.N);
    // Where it is at that time.
    const Model model = loops::of_bodies(expected.N, std::atan2(expected.head.y(), expected.head.x())).with_reactions();
    const double omega = -expected.rate.norm();
    State state = cases::started(model, {{"crank[0].phi", omega}});
    const Accelerations now = accelerations(model, state);
    state.a = now.a;
    state.lambda = now.lambda;
    const std::vector<Vector2d> feet = feet_of(model, observe(model, state).y, expected.N);
    CHECK((sum_of(feet) - expected.sum).norm() < 1e-8);
    for (std::size_t i = 0; i < expected.single.size(); ++i) CHECK((feet[i] - expected.single[i]).norm() < 1e-8);

    // The motion that leads there: forces differ as much as angles and rates do, which the flat positions increase.
    const Model upright = loops::of_bodies(expected.N).with_reactions();
    const Index first = cases::coordinate_of(upright, "crank[0].phi");
    const Motion motion =
        integrate(upright, cases::started(upright, {{"crank[0].phi", -1}}), {.times = {0, 10}, .tolerance = 1e-11});
    REQUIRE(motion.status == MotionStatus::done);
    const Vector2d sum = sum_of(feet_of(upright, motion.outputs.col(1), expected.N));
    CHECK((sum - expected.sum).norm() < 1e-6 * expected.sum.norm());
    const double N = static_cast<double>(expected.N), S = (N + 1) / 2 + N;
    const double theta = motion.end.q[first], rate = motion.end.v[first];
    const double alpha = loops::angular_acceleration(expected.N, theta), s = std::sin(theta), c = std::cos(theta);
    const Vector2d formula(S * (-s * alpha - c * rate * rate),
                           S * (c * alpha - s * rate * rate) + (2 * N + 1) * loops::g);
    CHECK((sum - formula).norm() < 1e-10 * formula.norm());
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
