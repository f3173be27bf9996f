// Power series of motions against closed forms and against the explicit method, which shares no derivative with them.
#include <doctest/doctest.h>

#include <cmath>

#include "motion/motion_series.h"
#include "stillpoint/assembly.h"
#include "stillpoint/error.h"
#include "support/motion/loops.h"
#include "support/motion/moving_cases.h"
#include "support/sanitized.h"

using namespace stillpoint;
using Eigen::Vector2d, Eigen::VectorXd;

namespace {

const Index most_coordinates = is_campaign() ? 200 : draws(40, 12);

}  // namespace

TEST_CASE("taylor: the loops of A02 end where the closed form says, within the records of one series as well") {
  const Model model = loops::parallel(2);
  const Vector2d exact(0.3284581115408, 0.9445185381786);
  double before = 1;
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    CAPTURE(tolerance);
    for (const double every : {10.0, 0.02}) {
      const Motion motion = integrate(model, loops::pushed(model),
                                      {.method = MotionMethod::taylor,
                                       .times = times_until(10, every),
                                       .tolerance = tolerance,
                                       .keeps_states = true});
      REQUIRE(motion.status == MotionStatus::done);
      const double error = (motion.end.q.head<2>() - exact).norm();
      CAPTURE(error);
      CHECK(error < 1000 * tolerance);
      CHECK(motion.rejected == 0);  // each series tells how far it reaches
      CHECK(motion.position_drift < 1e-12);
      CHECK(motion.rate_drift < 1e-12);
      CHECK(motion.largest_imbalance < 1000 * tolerance * motion.largest_energy);
      if (every == 10) CHECK(error < before);
      if (every == 10) before = error;
      // Steps to records cost no further series.
      else CHECK(motion.evaluations < 2 * motion.order * static_cast<long>(motion.times.size()) / 3);
    }
  }
}

// Series of as many terms as the tolerance alone asks for took 68 steps, and three series before a flat position where
// one that is expanded at the right distance passes it.
TEST_CASE("taylor: terms that lengthen the steps save more of these than they cost") {
  const Model model = loops::parallel(40);
  const Motion motion = integrate(model, loops::pushed(model),
                                  {.method = MotionMethod::taylor, .times = times_until(10, 10), .tolerance = 1e-6});
  REQUIRE(motion.status == MotionStatus::done);
  CHECK(motion.singular.size() == 10);
  CHECK(motion.accepted <= 58);
  CHECK(motion.evaluations <= 1200);
}

TEST_CASE("taylor: it agrees with the explicit method on every small case") {
  constexpr double time = 0.1, tolerance = 1e-11, agreement = 1e-7;
  double worst = 0;
  const MotionOptions options{.times = {time}, .tolerance = tolerance, .most_steps = 2000, .watches_singular = false};
  const auto compare = [&](const cases::MovingCase& one, const State& start, const Motion& usual) {
    MotionOptions by_series = options;
    by_series.method = MotionMethod::taylor;
    const Motion series = integrate(one.model, start, by_series);
    REQUIRE(series.status == MotionStatus::done);
    const double size = 1 + usual.end.v.lpNorm<Eigen::Infinity>();
    const double difference = apart(usual.end, series.end) / size;
    CAPTURE(difference);
    CHECK(difference < agreement);
    CHECK((usual.end.a - series.end.a).lpNorm<Eigen::Infinity>() < 1e-6 * (1 + usual.end.a.lpNorm<Eigen::Infinity>()));
    worst = std::max(worst, difference);
  };
  const int cases_done = cases::for_each_usual_motion(most_coordinates, options, compare);
  MESSAGE(cases_done, " cases, worst ", worst);
  CHECK(cases_done >= draws(20, 8));
}

TEST_CASE("taylor: the coefficients are those of a pendulum, and all of them are used") {
  // θ'' = −g cos θ from θ = 0 with the rate 1: series of the position by the same recurrence in one unknown.
  ModelBuilder build("pendulum");
  build.gravity({0, -loops::g, 0});
  const auto bob = build.point("B", {1, 0}, {.mass = 2});
  build.add("rod", Distance{.a = build.fixed("A", {0, 0}), .b = bob, .length = 1});
  const Model model = build.model();
  State start = model.initial_state();
  start.v = Vector2d(0, 1);
  constexpr int order = 10;
  std::array<double, order + 4> theta{0, 1}, sine{0}, cosine{1};  // the angle above the horizontal
  for (int k = 0; k < order + 2; ++k) {
    const auto at = static_cast<std::size_t>(k);
    theta[at + 2] = -loops::g * cosine[at] / ((k + 1) * (k + 2));
    for (int i = 1; i <= k + 1; ++i) {
      const auto j = static_cast<std::size_t>(i);
      sine[at + 1] += i * theta[j] * cosine[at + 1 - j] / (k + 1);
      cosine[at + 1] -= i * theta[j] * sine[at + 1 - j] / (k + 1);
    }
  }
  Dynamics dynamics(model, {}, MotionOptions().proximal);
  MotionSeries series(model, order);
  int powers = 0;
  const auto compare = [&](int k, const VectorXd& a) {
    CAPTURE(k);
    CHECK(k == powers++);
    const auto power = static_cast<std::size_t>(k + 2);
    const double of_positions = 1 / ((k + 1.0) * (k + 2.0));
    CHECK(of_positions * a[0] == doctest::Approx(cosine[power]).epsilon(1e-9));
    CHECK(of_positions * a[1] == doctest::Approx(sine[power]).epsilon(1e-9));
    return false;
  };
  REQUIRE(series.expand(dynamics, start, 0, compare));
  CHECK(powers == order + 1);
}

TEST_CASE("taylor: what it would not do is refused: other forms, and other stabilizations than the projection") {
  const Model model = loops::parallel(1);
  for (const MotionMethod method : {MotionMethod::taylor, MotionMethod::implicit, MotionMethod::sdirk}) {
    CHECK_THROWS_WITH_AS(
        integrate(model, loops::pushed(model), {.method = method, .times = {1}, .form = {.form = DynamicForm::kkt}}),
        doctest::Contains("for the explicit method"), Error);
    CHECK_THROWS_WITH_AS(integrate(model, loops::pushed(model), {.method = method, .times = {1}, .projects = false}),
                         doctest::Contains("for the explicit method"), Error);
  }
}

TEST_CASE("taylor: an input that varies is refused") {
  const Model model = loops::parallel(1);
  const InputMotion varying = [&](double) { return InputSample{}; };
  CHECK_THROWS_WITH_AS(
      integrate(model, loops::pushed(model), {.method = MotionMethod::taylor, .times = {1}, .inputs = varying}),
      doctest::Contains("inputs that keep their values"), Error);
}
