// Paths of equilibria against closed forms.
#include "stillpoint/continuation.h"

#include <doctest/doctest.h>

#include <cmath>

#include "stillpoint/error.h"
#include "stillpoint/operating_point.h"
#include "studies/studies_cases.h"

using namespace stillpoint;
using stillpoint::testing::Study;

namespace {

/// The load that holds the arch at this height.
double load_at(double y, double b, double h, double k) {
  const double l = std::hypot(b, y);
  return 2 * k * y * (std::hypot(b, h) / l - 1);
}

}  // namespace

TEST_CASE("continuation: a shallow arch snaps through, whatever the step") {
  const Study study("von_mises_truss", "P");
  const double fold = std::sqrt(std::pow(std::sqrt(1.09), 2.0 / 3) - 1);
  for (const double step : {0.005, 0.05, 0.3}) {
    CAPTURE(step);
    const EquilibriumBranch branch = follow_equilibria(
        study.variation, study.start, {.from = -12, .to = 12, .most_points = 2000, .largest_step = step});
    CHECK(branch.reached_end);
    REQUIRE(branch.events.size() == 2);
    for (std::size_t k = 0; k < 2; ++k) {
      const double sign = k == 0 ? 1 : -1;
      CHECK(branch.events[k].kind == BranchEvent::Kind::fold);
      CHECK(branch.events[k].parameter == doctest::Approx(sign * load_at(fold, 1, 0.3, 1000)).epsilon(1e-10));
      CHECK(branch.events[k].state.q[1] == doctest::Approx(sign * fold).epsilon(1e-7));
    }
    for (const EquilibriumSample& sample : branch.samples) {
      const double y = sample.state.q[1];
      CHECK(sample.parameter == doctest::Approx(load_at(y, 1, 0.3, 1000)).epsilon(1e-9));
      CHECK(sample.certified);
      if (std::abs(std::abs(y) - fold) > 1e-6)
        CHECK((sample.verdict.stability == Stability::unstable) == (std::abs(y) < fold));
    }
    CHECK(branch.samples.back().parameter == doctest::Approx(12).epsilon(1e-9));
  }
}

TEST_CASE("continuation: the path may begin downwards, and ends at the other end of the interval") {
  const Study study("von_mises_truss", "P");
  const EquilibriumBranch branch =
      follow_equilibria(study.variation, study.start, {.from = -5, .to = 5, .downwards = true});
  CHECK(branch.events.empty());
  CHECK(branch.reached_end);
  CHECK(branch.samples.back().parameter == doctest::Approx(-5).epsilon(1e-9));
}

TEST_CASE("continuation: a pendulum on the axis of a turning frame has a branch point, and leaves it by turning") {
  const Study study("turning_pendulum", "W", {{"W", 1}, {"a", 0}});
  const EquilibriumBranch branch = follow_equilibria(study.variation, study.start, {.from = 1, .to = 6});
  CHECK(branch.reached_end);
  REQUIRE(branch.events.size() == 1);
  CHECK(branch.events[0].kind == BranchEvent::Kind::branch_point);
  CHECK(branch.events[0].parameter == doctest::Approx(std::sqrt(9.81 / 0.8)).epsilon(1e-8));
  const Model model = study.family.at();
  const auto turn = [&](Index i) { return std::abs(branch.events[0].direction[i]); };
  for (Index i = 0; i < model.coordinates(); ++i) {
    const std::string name = model.coordinate_name(i);
    if (name == "theta" || name == "arm.ry") CHECK(turn(i) > 0.1);
    else CHECK(turn(i) < 1e-6);
  }
}

// cos θ = g / (W² l) on both sides, stable; the upright one is not.
TEST_CASE("continuation: the branches that cross are followed to both sides") {
  const Study study("turning_pendulum", "W", {{"W", 1}, {"a", 0}});
  const EquilibriumBranch branch =
      follow_equilibria(study.variation, study.start, {.from = 1, .to = 6, .crossing_branches = true});
  REQUIRE(branch.crossing.size() == 2);
  const Model model = study.family.at();
  const Index theta = model.coordinates() - 1;
  REQUIRE(model.coordinate_name(theta) == "theta");
  double signs = 1;
  for (const EquilibriumBranch& other : branch.crossing) {
    CHECK(other.reached_end);
    CHECK(other.samples.size() > 5);
    for (const EquilibriumSample& sample : other.samples) {
      const double angle = coordinate_value(model, sample.state, theta), W = sample.parameter;
      CHECK(std::cos(angle) == doctest::Approx(9.81 / (W * W * 0.8)).epsilon(1e-8));
      if (std::abs(angle) > 0.1) CHECK(sample.verdict.stability != Stability::unstable);
    }
    signs *= coordinate_value(model, other.samples.back().state, theta);
  }
  CHECK(signs < 0);
}

TEST_CASE("continuation: a linkage that stretches ends next to its singular configuration") {
  const Study study("four_bar", "k", {}, EquilibriumRequest::stable);
  const EquilibriumBranch branch =
      follow_equilibria(study.variation, study.start, {.from = -5, .to = 25, .downwards = true});
  CHECK(!branch.reached_end);
  CHECK(branch.ended.find("singular configuration") != std::string::npos);
  CHECK(branch.events.empty());
}

TEST_CASE("continuation: what cannot be followed is refused") {
  const Study study("von_mises_truss", "P");
  CHECK_THROWS_WITH_AS(follow_equilibria(study.variation, study.start, {.from = 1, .to = 1}),
                       "the interval of the parameter is empty", Error);
  Equilibrium nowhere = study.start;
  nowhere.status = EquilibriumStatus::not_converged;
  CHECK_THROWS_AS(follow_equilibria(study.variation, nowhere, {.from = 0, .to = 1}), Error);
}
