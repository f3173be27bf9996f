// The linear model beside the mechanism: the same where the mechanism is linear, and near it where motions are small.
#include "stillpoint/linear_motion.h"

#include <doctest/doctest.h>

#include <cmath>

#include "stillpoint/error.h"
#include "stillpoint/linearize.h"
#include "stillpoint/modes.h"
#include "stillpoint/read_model.h"
#include "stillpoint/verify_modes.h"
#include "support/error_texts.h"

using namespace stillpoint;
using Eigen::MatrixXd, Eigen::VectorXd;

namespace {

struct Beside {
  Model model;
  Equilibrium rest;
  LinearSystem system;

  explicit Beside(const std::string& name, const Parameters& parameters = {})
      : model(read_model(std::string(STILLPOINT_SOURCE_DIR "/cases/") + name, parameters)),
        rest(find_equilibrium(model, model.initial_state())),
        system(linearize(model, rest)) {
    REQUIRE(rest.status == EquilibriumStatus::at_rest);
  }

  /// The outputs of both, of the mechanism first.
  std::pair<MatrixXd, MatrixXd> outputs(const State& start, const InputMotion& inputs, double end,
                                        double from = 0) const {
    const std::vector<double> times = times_until(end, (end - from) / 10, from);
    const Motion motion =
        integrate(model, start, {.start_time = from, .times = times, .tolerance = 1e-12, .inputs = inputs});
    REQUIRE(motion.status == MotionStatus::done);
    return {motion.outputs,
            linear_motion(model, rest, system, start, {.start_time = from, .times = times, .inputs = inputs})};
  }
};

/// The largest difference of each output, relative to its largest change.
double apart(const MatrixXd& y, const MatrixXd& linear) {
  double largest = 0;
  for (Eigen::Index i = 0; i < y.rows(); ++i) {
    const double change = (y.row(i).array() - y(i, 0)).abs().maxCoeff();
    if (change > 1e-9) largest = std::max(largest, (y.row(i) - linear.row(i)).lpNorm<Eigen::Infinity>() / change);
  }
  return largest;
}

}  // namespace

TEST_CASE("linear motion: of a mechanism that is linear it is its motion, with prescribed motion and its derivatives") {
  const Beside beside("base_excited");
  for (const char* const shaken : {"0.1*sin(15*t)", "0.05", "t < 0.37 ? 0 : 0.3*(t - 0.37)^3"}) {
    CAPTURE(shaken);
    const InputMotion inputs = follow_expressions(beside.model, VectorXd::Zero(1), {{0, shaken}});
    State start = beside.rest.state;
    start.v = VectorXd::Zero(beside.model.coordinates());
    start.v[3] = 0.4;  // P.y
    start = consistent_state(beside.model, start, {.inputs = inputs});
    const auto [y, linear] = beside.outputs(start, inputs, 2);
    REQUIRE(y.allFinite());
    // Positions, an acceleration, the force of the spring and that of the base; both are computed to 1e-9.
    CHECK(apart(y, linear) < 1e-6);
  }
  const auto [y, linear] = beside.outputs(consistent_state(beside.model, beside.rest.state), {}, 3, 2);
  CHECK((y - linear).lpNorm<Eigen::Infinity>() < 1e-9);
}

TEST_CASE("linear motion: the difference from the mechanism is of second order in the size of the motion") {
  const Beside beside("actuated_four_bar");
  const Spectrum spectrum = solve_modes(beside.system, minimal_form(beside.system));
  const auto difference = [&](double size) {
    const InputMotion inputs =
        follow_expressions(beside.model, beside.rest.state.u, {{0, std::to_string(size) + "*20*sin(5*t)"}});
    const State on_mode = start_on_mode(beside.model, beside.rest.state, spectrum.modes.front(), size);
    const State start = consistent_state(beside.model, on_mode, {.inputs = inputs});
    const auto [y, linear] = beside.outputs(start, inputs, 1);
    return apart(y, linear);
  };
  // Relative to the motion the difference is of first order.
  const double large = difference(8e-3), small = difference(4e-3), smaller = difference(2e-3);
  CHECK(large < 0.1);
  CHECK(small > 1e-7);
  CHECK(large / small == doctest::Approx(2).epsilon(0.05));
  CHECK(small / smaller == doctest::Approx(2).epsilon(0.05));
}

TEST_CASE("linear motion: in space, the difference from the mechanism vanishes with the size of the motion") {
  const Beside beside("pendulum_spatial");
  REQUIRE(beside.model.outputs() > 0);
  const Spectrum spectrum = solve_modes(beside.system, minimal_form(beside.system));
  const auto difference = [&](double size) {
    const State start = start_on_mode(beside.model, beside.rest.state, spectrum.modes.front(), size);
    const auto [y, linear] = beside.outputs(start, {}, 1);
    return (y - linear).lpNorm<Eigen::Infinity>();
  };
  CHECK(difference(2e-2) > 1e-8);
  CHECK(difference(2e-2) / difference(1e-2) > 3.5);  // of second order, or of third
}

TEST_CASE("linear motion: what has none is refused") {
  const Beside no_outputs("pendulum");
  const State still = consistent_state(no_outputs.model, no_outputs.rest.state);
  CHECK(contains(
      error_of([&] { linear_motion(no_outputs.model, no_outputs.rest, no_outputs.system, still, {.times = {1}}); }),
      "no outputs"));
  const Beside beside("actuated_four_bar");
  const State start = consistent_state(beside.model, beside.rest.state);
  CHECK(contains(
      error_of([&] { linear_motion(beside.model, beside.rest, beside.system, start, {.times = {1}, .largest = 0}); }),
      "has 1 degrees of freedom; its motion is computed with up to 0"));
}
