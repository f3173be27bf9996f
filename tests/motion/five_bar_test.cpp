// The redundant five-bar linkage of [de Falco 2005] from nearly upright, θ̈ = −w² cos θ: where its error comes from.
#include "support/motion/five_bar.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stillpoint/motion.h"
#include "support/motion/moving_cases.h"
#include "support/sanitized.h"

using namespace stillpoint;
using five_bar::after, five_bar::Pendulum;

namespace {

constexpr double end = 20, fastest = 6.72;  // s; rad/s, the largest rate of the motion

}  // namespace

// Four to six thousand tolerances at 20 s looked like errors of the passages of flat positions. They are not.
TEST_CASE("five-bar: from 89.4 degrees its error is that of usual steps, which the motion near upright magnifies") {
  const Pendulum start{89.4 * std::numbers::pi / 180, 0};
  const Model model = cases::model_called("five_bar_parallelogram", {{"phi_guess", start.angle}});
  const Index angle = cases::coordinate_of(model, "link[1].phi");
  for (const double tolerance : {1e-6, 1e-8}) {
    CAPTURE(tolerance);
    Pendulum before = start, gathered = start;
    double time = 0, at_flat = 0, elsewhere = 0;
    const auto see = [&](const MotionRecord& record) {
      const Pendulum now{record.state.q[angle], record.state.v[angle]}, exact = after(before, record.time - time);
      const Pendulum error{now.angle - exact.angle, now.rate - exact.rate};
      gathered = after(gathered, record.time - time);
      gathered.angle += error.angle;
      gathered.rate += error.rate;
      const bool passes_flat = std::sin(before.angle) * std::sin(now.angle) < 0;
      double& largest = passes_flat ? at_flat : elsewhere;
      largest = std::max({largest, std::abs(error.angle), std::abs(error.rate) / fastest});
      before = now;
      time = record.time;
      return false;
    };
    const Motion motion =
        integrate(model, consistent_state(model, model.initial_state()),
                  {.times = {0, end}, .tolerance = tolerance, .watches_singular = false, .stops = see});
    REQUIRE(motion.status == MotionStatus::done);
    const double exact = after(start, end).angle, error = motion.end.q[angle] - exact;
    MESSAGE("error ", error / tolerance, " tolerances; of a step that passes flat ", at_flat / tolerance,
            ", of others ", elsewhere / tolerance);
    CHECK(at_flat > 0);
    CHECK(at_flat < 3 * tolerance);
    CHECK(elsewhere < 3 * tolerance);
    // The scalar equation makes of the errors of the single steps what the linkage shows.
    CHECK(gathered.angle - exact == doctest::Approx(error).epsilon(0.02));
    CHECK(std::abs(error) < 1000 * tolerance);
  }
  // One error of one tolerance in the rate, on the way down, and nothing else.
  constexpr double when = 2, kick = 1e-8;
  Pendulum kicked = after(start, when);
  kicked.rate += kick * fastest;
  CHECK(std::abs(after(kicked, end - when).angle - after(start, end).angle) > 3000 * kick);
}
