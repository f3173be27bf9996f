// The singly diagonally implicit method: its coefficients, its order on mechanisms, and what it is for, stiff dampers
// and flexible bodies. References are the explicit method, published figures and the modes.
#include <doctest/doctest.h>

#include <Eigen/LU>
#include <cmath>
#include <complex>
#include <numbers>

#include "base/at.h"
#include "motion/kennedy_carpenter.h"
#include "motion/step_method.h"
#include "stillpoint/assembly.h"
#include "stillpoint/elements/all.h"
#include "stillpoint/equilibrium.h"
#include "stillpoint/linearize.h"
#include "stillpoint/verify_modes.h"
#include "support/motion/loops.h"
#include "support/motion/moving_cases.h"
#include "support/sanitized.h"

using namespace stillpoint;
using Eigen::Vector3d, Eigen::VectorXd;

namespace {

using Tableau = KennedyCarpenter;
using StageWeights = Eigen::Matrix<double, Tableau::stages, 1>;
using StageMatrix = Eigen::Matrix<double, Tableau::stages, Tableau::stages>;

// ----- Coefficients

StageMatrix coefficients() {
  StageMatrix A;
  for (int i = 0; i < Tableau::stages; ++i) {
    for (int j = 0; j < Tableau::stages; ++j) A(i, j) = Tableau::a[at(i)][at(j)];
  }
  return A;
}

StageWeights as_vector(const std::array<double, Tableau::stages>& values) {
  return Eigen::Map<const StageWeights>(values.data());
}

/// A condition of order: weights times the product of what hangs at a node of a rooted tree is 1/density.
struct OrderCondition {
  int order;
  StageWeights product;
  double density;
};

/// One condition for each rooted tree with at most five nodes.
std::vector<OrderCondition> order_conditions() {
  const StageMatrix A = coefficients();
  const StageWeights one = StageWeights::Ones(), c = A * one, c2 = c.cwiseProduct(c), c3 = c2.cwiseProduct(c);
  const StageWeights Ac = A * c, Ac2 = A * c2, AAc = A * Ac;
  return {{1, one, 1},
          {2, c, 2},
          {3, c2, 3},
          {3, Ac, 6},
          {4, c3, 4},
          {4, c.cwiseProduct(Ac), 8},
          {4, Ac2, 12},
          {4, AAc, 24},
          {5, c2.cwiseProduct(c2), 5},
          {5, c2.cwiseProduct(Ac), 10},
          {5, Ac.cwiseProduct(Ac), 20},
          {5, c.cwiseProduct(Ac2), 15},
          {5, c.cwiseProduct(AAc), 30},
          {5, A * c3, 20},
          {5, A * c.cwiseProduct(Ac), 40},
          {5, A * Ac2, 60},
          {5, A * AAc, 120}};
}

/// The factor by which a step changes y of ẏ = (z/h) y.
std::complex<double> stability_function(std::complex<double> z) {
  const Eigen::MatrixXcd A = coefficients().cast<std::complex<double>>();
  const Eigen::VectorXcd one = Eigen::VectorXcd::Ones(Tableau::stages);
  const Eigen::MatrixXcd matrix = Eigen::MatrixXcd::Identity(Tableau::stages, Tableau::stages) - z * A;
  return matrix.partialPivLu().solve(one)[Tableau::stages - 1];  // the last stage is the end of the step
}

}  // namespace

TEST_CASE("sdirk: rows sum to the times, the diagonal is constant, and the last stage is the end of the step") {
  const StageMatrix A = coefficients();
  const StageWeights c = as_vector(Tableau::c);
  CHECK((A * StageWeights::Ones() - c).lpNorm<Eigen::Infinity>() < 1e-15);
  CHECK(c[Tableau::stages - 1] == 1);
  CHECK(A.row(0).norm() == 0);
  for (int i = 1; i < Tableau::stages; ++i) CHECK(A(i, i) == Tableau::gamma);
  CHECK(StageMatrix(A.triangularView<Eigen::StrictlyUpper>()).norm() == 0);
  // The stage order two: each stage integrates the time exactly.
  CHECK((A * c - 0.5 * c.cwiseProduct(c)).lpNorm<Eigen::Infinity>() < 1e-15);
}

TEST_CASE("sdirk: all conditions of order five hold, and those of order four for the embedded weights") {
  const StageWeights b = coefficients().row(Tableau::stages - 1), embedded = as_vector(Tableau::embedded);
  const std::vector<OrderCondition> conditions = order_conditions();
  CHECK(conditions.size() == 17);
  double of_embedded = 0;
  for (const OrderCondition& condition : conditions) {
    CAPTURE(condition.order);
    CAPTURE(condition.density);
    CHECK(std::abs(b.dot(condition.product) - 1 / condition.density) < 1e-15);
    const double miss = std::abs(embedded.dot(condition.product) - 1 / condition.density);
    if (condition.order < Tableau::order) CHECK(miss < 1e-15);
    else of_embedded = std::max(of_embedded, miss);
  }
  CHECK(of_embedded > 1e-3);  // else the difference would be no estimate
}

TEST_CASE("sdirk: it is L-stable") {
  // The poles 1/γ are to the right, so that |R| <= 1 on the imaginary axis means |R| <= 1 to its left.
  for (double y = 1e-3; y < 1e7; y *= 1.001) {
    CAPTURE(y);
    REQUIRE(std::abs(stability_function({0, y})) < 1 + 1e-14);
  }
  CHECK(std::abs(stability_function({-1e9, 0})) < 1e-7);
  CHECK(std::abs(stability_function({0, 1e9})) < 1e-7);
  CHECK(std::abs(stability_function({0, 0.1}) - std::exp(std::complex<double>(0, 0.1))) < 1e-9);
}

// ----- Order on mechanisms

namespace {

/// The end of a motion in so many equal steps, by the method alone.
State after_steps(const Model& model, const State& start, double end, int steps, const InputMotion& inputs = {}) {
  constexpr double of_newton = 1e-11;  // what the iteration leaves is far below the errors that are compared
  Dynamics dynamics(model, inputs, MotionOptions().proximal);
  ErrorScales scales(model, start, end, 1e-6);
  MotionPoint here;
  here.state = start;
  dynamics.put_inputs(0, here.state);
  REQUIRE(accelerate(dynamics, here));
  scales.see(start.v);
  const auto method = sdirk_method(dynamics, scales, MotionOptions().proximal, of_newton);
  for (int k = 0; k < steps; ++k) {
    TrialStep trial = method->step(here, end / steps, std::numeric_limits<double>::infinity());
    REQUIRE(trial.end);
    here = *std::move(trial.end);
  }
  return here.state;
}

/// The observed order between so many steps and twice as many.
double observed_order(const Model& model, const State& start, double end, int steps, const InputMotion& inputs = {}) {
  const Motion exact = integrate(model, start, {.times = {0, end}, .tolerance = 1e-13, .inputs = inputs});
  REQUIRE(exact.status == MotionStatus::done);
  const double coarse = apart(after_steps(model, start, end, steps, inputs), exact.end),
               fine = apart(after_steps(model, start, end, 2 * steps, inputs), exact.end);
  MESSAGE("off by ", coarse, " and ", fine, ", order ", std::log2(coarse / fine));
  CHECK(fine > 1e-12);  // above rounding
  return std::log2(coarse / fine);
}

/// A pendulum of two bars in the plane with a damper in each hinge.
Model damped_double_pendulum(double damping) {
  ModelBuilder build("damped");
  build.gravity({0, -9.81, 0});
  const auto upper = build.body("upper", {0, 0}, {.angle = -0.5, .mass = 1, .inertia = 0.1, .centre = {0.5, 0}});
  const auto lower = build.body("lower", {std::cos(0.5), -std::sin(0.5)},
                                {.angle = -0.2, .mass = 1, .inertia = 0.1, .centre = {0.5, 0}});
  build.add("shoulder", Revolute{.a = ground, .b = upper});
  build.add("elbow", Revolute{.a = build.marker("end", upper, {1, 0}), .b = lower});
  build.add("damper", TorsionSpring{.a = upper, .b = lower, .stiffness = 20, .damping = damping});
  return build.model();
}

}  // namespace

TEST_CASE(
    "sdirk: the order is five on a damped mechanism with constraints, and at least the stage order where it is stiff") {
  for (const double damping : {0.5, 400.0}) {
    CAPTURE(damping);
    const Model model = damped_double_pendulum(damping);
    State start = model.initial_state();
    start.v = VectorXd::Zero(model.coordinates());
    start.v[2] = 1;
    start = consistent_state(model, start);
    // With 400 N m s the relative motion decays with some 10⁴/s, hundreds of times in a step. What is fast at the start
    // has gone after 0.01 s.
    start = integrate(model, start, {.times = {0, 0.01}, .tolerance = 1e-13}).end;
    const double order = observed_order(model, start, 1, 40);
    CHECK(order > (damping < 1 ? 4 : 1.5));  // the stage order is two
    CHECK(order < 6.5);
  }
}

TEST_CASE("sdirk: the order is five for orientations in space") {
  const Model model = cases::model_called("heavy_top");
  const State start = cases::started(model, {{"top.rx", 0}, {"top.ry", 150}, {"top.rz", -4.61538}});
  const double order = observed_order(model, start, 0.1, 60);
  CHECK(order > 4.5);
  CHECK(order < 6.5);
}

TEST_CASE("sdirk: the order is five for prescribed motions over time") {
  const Model model = cases::model_called("base_excited");
  const InputMotion inputs = follow_expressions(model, VectorXd::Zero(1), {{0, "0.1*sin(15*t)"}});
  const State start = consistent_state(model, model.initial_state(), {.inputs = inputs});
  const double order = observed_order(model, start, 1, 160, inputs);
  CHECK(order > 4.5);
  CHECK(order < 6.5);
}

// ----- Motions

// Its matrix has a proximal term, which keeps constraints open that are weak beside it: repetitions close them. Without
// these it stopped at the first flat position, and steps against stiff dampers were a thousand times too short.
TEST_CASE("sdirk: it passes singular configurations on the right branch") {
  const Model model = loops::parallel(2);
  const Motion motion = integrate(model, loops::pushed(model),
                                  {.method = MotionMethod::sdirk, .times = times_until(10, 0.1), .tolerance = 1e-7});
  REQUIRE(motion.status == MotionStatus::done);
  CHECK(motion.singular.size() == 10);
  CHECK(motion.largest_imbalance < 1e-5 * motion.largest_energy);
  const Motion usual = integrate(model, loops::pushed(model), {.times = {10}});
  CHECK((motion.end.q - usual.end.q).lpNorm<Eigen::Infinity>() < 1e-3);
}

TEST_CASE("sdirk: it agrees with the explicit method on every small case, as accelerations and energies do") {
  constexpr double time = 0.1, tolerance = 1e-10;
  const MotionOptions options{.times = {time}, .tolerance = tolerance, .most_steps = 3000, .watches_singular = false};
  const auto compare = [&](const cases::MovingCase& one, const State& start, const Motion& usual) {
    constexpr double of_sdirk = 1e-8;
    MotionOptions implicit = options;
    implicit.method = MotionMethod::sdirk;
    implicit.tolerance = of_sdirk;
    const Motion motion = integrate(one.model, start, implicit);
    CAPTURE(motion.message);
    CHECK(motion.status == MotionStatus::done);
    if (motion.status != MotionStatus::done) return;
    CHECK(motion.order == 5);
    const double size = 1 + usual.end.v.lpNorm<Eigen::Infinity>();
    const double difference = apart(usual.end, motion.end) / size;
    CAPTURE(difference);
    CHECK(difference < 1e3 * of_sdirk);
    CHECK((usual.end.a - motion.end.a).lpNorm<Eigen::Infinity>() <
          1e4 * of_sdirk * (1 + usual.end.a.lpNorm<Eigen::Infinity>()));
    CHECK(motion.position_drift < 1e-12);
    CHECK(motion.largest_imbalance < 3e4 * of_sdirk * (1e-3 + motion.largest_energy));
  };
  const int cases_done = cases::for_each_usual_motion(draws(40, 12), options, compare);
  MESSAGE(cases_done, " cases");
  CHECK(cases_done >= draws(20, 8));
}

TEST_CASE("sdirk: the governor, stiff and damped, reaches the reference in a fraction of the explicit steps") {
  const Model model = cases::model_called("governor", {{"free", 1}});
  const State start = cases::started(model);
  const Index height = cases::output_of(model, "slider.z");
  const double end = draws(5, 1);
  const std::vector<double> times{0, 1, end == 5 ? 5.0 : 1.5};
  const auto run = [&](double tolerance) {
    Motion motion = integrate(model, start, {.method = MotionMethod::sdirk, .times = times, .tolerance = tolerance});
    REQUIRE(motion.status == MotionStatus::done);
    MESSAGE(motion.accepted, " steps, off by ", motion.outputs(height, 1) - 0.501420922380);
    return motion;
  };
  const Motion accurate = run(1e-10), usual = run(1e-8);
  CHECK(std::abs(accurate.outputs(height, 1) - 0.501420922380) < 1e-10);
  CHECK(std::abs(usual.outputs(height, 1) - 0.501420922380) < 1e-8);
  if (end == 5) {
    CHECK(std::abs(accurate.outputs(height, 2) - 0.535563103722) < 1e-10);
    CHECK(std::abs(usual.outputs(height, 2) - 0.535563103722) < 1e-8);
  }
  // The explicit method makes 2754 steps in a second.
  CHECK(accurate.accepted < 1400 * times.back());
  CHECK(usual.accepted < 300 * times.back());
  CHECK(accurate.largest_imbalance < 1e-8 * accurate.largest_energy);
  // The matrix is kept over steps.
  CHECK(usual.factorisations < (usual.accepted + usual.rejected) * 3 / 4);
}

// A shaft of 5e-6 kg m² between the ground and arms of 5 kg m²: its weld is weak beside the proximal term. Newton's
// method contracted by 0.55 for steps of any length, and 0.06 s took 105 293 of them.
TEST_CASE("sdirk: the constraints of a light shaft among heavy arms are solved as exactly as others") {
  const Model model = cases::model_called("governor", {{"free", 0}});
  const State start = cases::started(model);
  const Index height = cases::output_of(model, "slider.z");
  const std::vector<double> times{0, 0.1};
  const Motion usual = integrate(model, start, {.times = times, .tolerance = 1e-11});
  REQUIRE(usual.status == MotionStatus::done);
  struct Expected {
    double tolerance;
    int steps;
  };
  for (const Expected& expected : {Expected{1e-6, 20}, Expected{1e-8, 60}, Expected{1e-10, 200}}) {
    const Motion motion =
        integrate(model, start,
                  {.method = MotionMethod::sdirk, .times = times, .tolerance = expected.tolerance, .most_steps = 1000});
    CAPTURE(expected.tolerance);
    REQUIRE(motion.status == MotionStatus::done);
    MESSAGE(motion.accepted, " steps, off by ", motion.outputs(height, 1) - usual.outputs(height, 1));
    CHECK(motion.accepted < expected.steps);
    CHECK(std::abs(motion.outputs(height, 1) - usual.outputs(height, 1)) < 10 * expected.tolerance);
    CHECK(motion.evaluations < 40L * (motion.accepted + motion.rejected));
  }
}

TEST_CASE("sdirk: redundant constraints in space keep their rank and their multipliers stay bounded") {
  const Model model = cases::model_called("bricard");
  const State start = cases::started(model);
  const MotionOptions explicitly{.times = {0, 3}, .keeps_states = true};
  MotionOptions how = explicitly;
  how.method = MotionMethod::sdirk;
  how.tolerance = 1e-9;
  const Motion exact = integrate(model, start, explicitly), motion = integrate(model, start, how);
  REQUIRE(motion.status == MotionStatus::done);
  CHECK((motion.outputs.col(1) - exact.outputs.col(1)).norm() < 1e-7);
  CHECK(motion.rejected < motion.accepted / 4);
  CHECK(motion.end.lambda.norm() < 2 * exact.end.lambda.norm());
}

namespace {

/// The modes of a model about its equilibrium, the lowest first, each pair once.
std::vector<Mode> modes_of(const Model& model, const Equilibrium& rest) {
  const LinearSystem system = linearize(model, rest);
  std::vector<Mode> found;
  for (const Mode& mode : solve_modes(system, minimal_form(system)).modes) {
    if (mode.s.imag() > 0) found.push_back(mode);
  }
  std::sort(found.begin(), found.end(), [](const Mode& a, const Mode& b) { return a.s.imag() < b.s.imag(); });
  return found;
}

}  // namespace

TEST_CASE("sdirk: a flexible double pendulum vibrates with the frequencies of its modes, and keeps its energy") {
  const Model model = cases::model_called("flexible_double_pendulum", {{"n_p", 3}});
  const Equilibrium rest = find_equilibrium(model, model.initial_state());
  REQUIRE(rest.status == EquilibriumStatus::at_rest);
  const std::vector<Mode> modes = modes_of(model, rest);
  REQUIRE(modes.size() > 4);
  for (const std::size_t number : {1U, 2U, 3U}) {
    CAPTURE(number);
    const double omega = modes[number].s.imag(), period = 2 * std::numbers::pi / omega;
    const State start = start_on_mode(model, rest.state, modes[number], 1e-4);
    const std::vector<double> times = times_until(2.2 * period, period / 60);
    const Motion motion = integrate(
        model, start, {.method = MotionMethod::sdirk, .times = times, .tolerance = 1e-6, .keeps_states = true});
    REQUIRE(motion.status == MotionStatus::done);
    const Index tip = cases::output_of(model, "tip.x");
    const Identified found = identify(motion.times, motion.outputs.row(tip).transpose());
    REQUIRE(found.decay);
    MESSAGE(motion.accepted, " steps, off by ", found.decay->frequency * period - 1);
    CHECK(std::abs(found.decay->frequency * period - 1) < 1e-4);
    CHECK(std::abs(found.decay->damping_ratio) < 1e-4);  // nothing is damped
    CHECK(motion.largest_imbalance < 1e-2 * motion.largest_energy);
  }
}
