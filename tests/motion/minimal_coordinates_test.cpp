// Motions in independent coordinates that are selected anew: the same as by the usual method, to the next singular
// configuration.
#include <doctest/doctest.h>

#include <Eigen/LU>
#include <cmath>

#include "motion/chart.h"
#include "motion/independent_coordinates.h"
#include "stillpoint/assembly.h"
#include "stillpoint/elements/all.h"
#include "stillpoint/error.h"
#include "stillpoint/motion.h"
#include "support/motion/loops.h"
#include "support/motion/moving_cases.h"
#include "support/sanitized.h"
#include "support/seeded.h"

using namespace stillpoint;
using Eigen::MatrixXd, Eigen::Vector2d, Eigen::VectorXd;

namespace {

/// A crank that can turn round, a coupler and a rocker, as rods between points: x and y of a crank's end serve in turn.
Model crank_rocker_of_points() {
  ModelBuilder build("crank_rocker");
  build.gravity({0, -9.81, 0});
  const Vector2d crank(0, 0.3), foot(1, 0);
  const Vector2d across = foot - crank;
  const double d = across.norm(), along = (0.9 * 0.9 - 0.8 * 0.8 + d * d) / (2 * d);
  const Vector2d rocker =
      crank + along / d * across + std::sqrt(0.9 * 0.9 - along * along) / d * Vector2d(-across.y(), across.x());
  const auto a = build.fixed("A", {0, 0}), f = build.fixed("D", {1, 0});
  const auto b = build.point("B", {crank.x(), crank.y()}), c = build.point("C", {rocker.x(), rocker.y()});
  build.add("crank", Rod{.a = a, .b = b, .length = 0.3, .mass = 0.3});
  build.add("coupler", Rod{.a = b, .b = c, .length = 0.9, .mass = 0.9});
  build.add("rocker", Rod{.a = c, .b = f, .length = 0.8, .mass = 0.8});
  return build.model();
}

Motion moved(const Model& model, const State& start, MotionMethod method, double end, double tolerance = 1e-11,
             const InputMotion& inputs = {}) {
  return integrate(
      model, start,
      {.method = method, .times = {0, end}, .tolerance = tolerance, .inputs = inputs, .watches_singular = false});
}

}  // namespace

TEST_CASE("minimal coordinates: the motion is that of the usual method, in the plane and in space") {
  struct Case {
    const char* name;
    Parameters parameters;
    std::vector<std::pair<std::string, double>> rates;
    double end;
  };
  for (const Case& one :
       {Case{"crank_rocker", {}, {{"crank.phi", 3}}, 2}, Case{"four_bar", {{"N", 3}}, {}, 1},
        Case{"bricard", {}, {}, 1}, Case{"double_pendulum", {}, {}, 1}, Case{"spatial_double_pendulum", {}, {}, 0.5},
        Case{"heavy_top", {}, {{"top.rx", 0}, {"top.ry", 150}, {"top.rz", -4.61538}}, 0.2}}) {
    CAPTURE(one.name);
    const Model model = cases::model_called(one.name, one.parameters);
    const State start = cases::started(model, one.rates);
    const Motion usual = moved(model, start, MotionMethod::explicit_order_8, one.end, 1e-13);
    const Motion minimal = moved(model, start, MotionMethod::minimal, one.end, 1e-13);
    CAPTURE(minimal.message);
    REQUIRE(usual.status == MotionStatus::done);
    REQUIRE(minimal.status == MotionStatus::done);
    CHECK(apart(usual.end, minimal.end) < 1e-9 * (1 + usual.end.v.lpNorm<Eigen::Infinity>()));
    CHECK(minimal.position_drift < 1e-13);
    CHECK((usual.end.a - minimal.end.a).norm() < 1e-7 * (1 + usual.end.a.norm()));
    CHECK(minimal.end.lambda.size() == model.constraints());
    // Of redundant constraints the forces on the coordinates are unique, the multipliers are not.
    MotionAssembly assembly(model);
    const SparseMatrix J = assembly.at(usual.end).J;
    const VectorXd forces = J.transpose() * usual.end.lambda;
    CHECK((forces - J.transpose() * minimal.end.lambda).norm() < 1e-6 * (1 + forces.norm()));
  }
}

TEST_CASE("minimal coordinates: they agree with the usual method on every small case") {
  constexpr double time = 0.1, tolerance = 1e-11, agreement = 1e-7;
  double worst = 0;
  const MotionOptions options{.times = {time}, .tolerance = tolerance, .most_steps = 2000, .watches_singular = false};
  const auto compare = [&](const cases::MovingCase& one, const State& start, const Motion& usual) {
    MotionOptions in_minimal = options;
    in_minimal.method = MotionMethod::minimal;
    const Motion minimal = integrate(one.model, start, in_minimal);
    CAPTURE(minimal.message);
    REQUIRE(minimal.status == MotionStatus::done);
    const double difference = apart(usual.end, minimal.end) / (1 + usual.end.v.lpNorm<Eigen::Infinity>());
    CAPTURE(difference);
    CHECK(difference < agreement);
    worst = std::max(worst, difference);
  };
  const int cases_done = cases::for_each_usual_motion(draws(40, 12), options, compare);
  MESSAGE(cases_done, " cases, worst ", worst);
  CHECK(cases_done >= draws(20, 8));
}

TEST_CASE("minimal coordinates: inputs over time and prescribed motions are followed, and their work is counted") {
  for (const char* const name : {"actuated_four_bar", "base_excited"}) {
    CAPTURE(name);
    const Model model = cases::model_called(name);
    const bool shaken = std::string(name) == "base_excited";
    const InputMotion inputs =
        follow_expressions(model, model.initial_state().u, {{0, shaken ? "0.1*sin(5*t)" : "2*sin(3*t)"}});
    const State start = consistent_state(model, model.initial_state(), {.inputs = inputs});
    const Motion usual = moved(model, start, MotionMethod::explicit_order_8, 2, 1e-12, inputs);
    const Motion minimal = moved(model, start, MotionMethod::minimal, 2, 1e-12, inputs);
    REQUIRE(minimal.status == MotionStatus::done);
    CHECK(apart(usual.end, minimal.end) < 1e-9);
    CHECK(minimal.largest_imbalance < 1e-8 * (1 + minimal.largest_energy));
    CHECK(std::abs(minimal.work.back() - usual.work.back()) < 1e-8);
    CHECK(std::abs(usual.work.back()) > 1e-3);
  }
}

TEST_CASE("minimal coordinates: they are selected anew on the way, and nothing is lost") {
  // A point mass on a rod, from rest beside its support (A01 of the IFToMM library), against elliptic functions.
  ModelBuilder build("pendulum");
  build.gravity({0, -9.81, 0});
  build.add("rod", Distance{.a = build.fixed("O", {0, 0}), .b = build.point("P", {-1, 0}, {.mass = 1}), .length = 1});
  const Model pendulum = build.model();
  const State beside = consistent_state(pendulum, pendulum.initial_state());
  const Motion swing = moved(pendulum, beside, MotionMethod::minimal, 10, 1e-12);
  REQUIRE(swing.status == MotionStatus::done);
  CHECK((swing.end.q - Vector2d(-0.2750874625761169, -0.9614192050991251)).norm() < 1e-9);
  CHECK(swing.reselections >= 8);  // x and y serve in turn, in each of more than four periods

  // A crank that turns several times.
  const Model model = crank_rocker_of_points();
  State start = model.initial_state();
  start.v = VectorXd::Zero(4);
  start.v[0] = -0.3 * 12;
  start = consistent_state(model, start, {.held = {0}});
  int turns = 0;
  double before = start.q[0];
  const auto count = [&](const MotionRecord& record) {
    turns += before > 0 && record.state.q[0] <= 0 && record.state.q[1] > 0;
    before = record.state.q[0];
  };
  const Motion minimal =
      integrate(model, start,
                {.method = MotionMethod::minimal, .times = times_until(4, 0.02), .tolerance = 1e-13, .record = count});
  const Motion usual = integrate(model, start, {.times = times_until(4, 0.02), .tolerance = 1e-13});
  REQUIRE(minimal.status == MotionStatus::done);
  CHECK(apart(minimal.end, usual.end) < 1e-9 * (1 + usual.end.v.lpNorm<Eigen::Infinity>()));
  CHECK(minimal.largest_imbalance < 1e-9 * minimal.largest_energy);
  CHECK(turns >= 3);
  CHECK(minimal.reselections >= 2 * turns);
  CHECK(usual.reselections == 0);
  CHECK(to_json(model, minimal).find("\"reselections\": " + std::to_string(minimal.reselections)) != std::string::npos);
  CHECK(summary_of(minimal)[2] ==
        "independent coordinates were selected anew " + std::to_string(minimal.reselections) + " times");
}

TEST_CASE("minimal coordinates: the order of the method is 8 at least, in the chart of orientations, too") {
  const Model top = cases::model_called("heavy_top");
  const State spinning = cases::started(top, {{"top.rx", 0}, {"top.ry", 150}, {"top.rz", -4.61538}});
  const Model linkage = cases::model_called("crank_rocker");
  const State turning = cases::started(linkage, {{"crank.phi", 8}});
  struct Case {
    const Model& model;
    const State& start;
    double end;
    int steps;
  };
  for (const Case& one : {Case{top, spinning, 0.2, 40}, Case{linkage, turning, 1, 40}}) {
    CAPTURE(one.model.name());
    const Motion exact = moved(one.model, one.start, MotionMethod::explicit_order_8, one.end, 1e-13);
    const auto error_of = [&](int steps) {
      const Motion coarse = integrate(
          one.model, one.start,
          {.method = MotionMethod::minimal, .times = times_until(one.end, one.end / steps), .tolerance = 0.1});
      REQUIRE(coarse.status == MotionStatus::done);
      CHECK(coarse.accepted <= steps + 5);  // the first ones are shorter
      return apart(coarse.end, exact.end);
    };
    // Over a factor of four, as the terms of higher order have not vanished in the linkage.
    const double order = std::log2(error_of(one.steps) / error_of(4 * one.steps)) / 2;
    MESSAGE("observed order ", order);
    CHECK(order > 7.5);
  }
}

TEST_CASE("minimal coordinates: a singular configuration ends the motion with a sentence") {
  for (const Index loops : {1, 2, 40}) {
    CAPTURE(loops);
    const Model model = loops::parallel(loops);
    const Motion motion = integrate(model, loops::pushed(model), {.method = MotionMethod::minimal, .times = {0, 10}});
    CHECK(motion.status == MotionStatus::stuck);
    CHECK(motion.message.find("no choice of independent coordinates determines the others") != std::string::npos);
    CHECK(motion.message.find("take the explicit method") != std::string::npos);
    CHECK(motion.singular.empty());
    CHECK(motion.end_time > 0.5);
    CHECK(motion.end_time < 0.7231);  // of the flat instant, 0.7144 s and 0.7216 s for more than one loop
    CHECK(motion.largest_imbalance < 1e-7 * motion.largest_energy);
    CHECK(std::is_sorted(motion.times.begin(), motion.times.end(), std::less_equal<>()));
  }
  // It cannot begin there either.
  const Model flat = loops::parallel(2, 0);
  const auto from_flat = [&] {
    return integrate(flat, loops::pushed(flat, 1), {.method = MotionMethod::minimal, .times = {0, 0.2}});
  };
  std::string why;
  try {
    const Motion motion = from_flat();
    CHECK(motion.status == MotionStatus::stuck);
    CHECK(motion.end_time < 0.01);
    why = motion.message;
  } catch (const Error& error) {
    why = error.what();
  }
  CAPTURE(why);
  CHECK(why.find("singular") != std::string::npos);
}

TEST_CASE("minimal coordinates: other forms are refused, and so are too many coordinates") {
  const Model model = loops::parallel(1);
  const State start = loops::pushed(model);
  CHECK_THROWS_WITH_AS(
      integrate(model, start,
                {.method = MotionMethod::minimal, .times = {0, 1}, .form = {.form = DynamicForm::null_space}}),
      doctest::Contains("not for 'minimal'"), Error);
  const Model large = loops::parallel(1600);
  CHECK_THROWS_WITH_AS(integrate(large, loops::pushed(large), {.method = MotionMethod::minimal, .times = {0, 1}}),
                       doctest::Contains("has 3202 coordinates, allowed are 3000"), Error);
}

TEST_CASE("minimal coordinates: a matrix for rates becomes one for rates of increments") {
  const Model model = cases::model_called("heavy_top");
  const Chart chart(model);
  Random random(4);
  const VectorXd increments = random.vector(model.coordinates(), -1, 1),
                 rates = random.vector(model.coordinates(), -1, 1);
  const MatrixXd J = MatrixXd::Identity(model.coordinates(), model.coordinates());
  // v = (∂v/∂ḋ) ḋ, where ḋ are the rates that the chart gives for v.
  CHECK((chart.for_increments(increments, J) * chart.rates(increments, rates) - rates).norm() < 1e-13);
  CHECK((chart.for_increments(increments, J) - J).norm() > 0.1);
}
