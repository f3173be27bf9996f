// Modes over a parameter.
#include "stillpoint/sweep.h"

#include <doctest/doctest.h>

#include <cmath>

#include "stillpoint/error.h"
#include "stillpoint/find_modes.h"
#include "stillpoint/linearize.h"
#include "studies/studies_cases.h"
#include "support/at_most.h"

using namespace stillpoint;
using stillpoint::testing::Study;

namespace {

Index count_of(const Sweep& sweep, SweepEvent::Kind kind) {
  return static_cast<Index>(std::count_if(sweep.events.begin(), sweep.events.end(),
                                          [&](const SweepEvent& event) { return event.kind == kind; }));
}

// Two pendulums of lengths l and l (1 + p) with a weak spring between their bobs.
ModelFamily coupled_pendulums(double k) {
  return ModelFamily::from_text(R"(stillpoint: 1
name: coupled
parameters:
  k: 0
  p: 0
gravity: 0, -10
mechanism:
  - fixed: A
    at: 0, 0
  - fixed: B
    at: 0.5, 0
  - point: left
    at: 0, -1
    mass: 1
  - point: right
    at: 0.5, -(1 + p)
    mass: 1
  - distance: left_rod
    between: A, left
    length: 1
  - distance: right_rod
    between: B, right
    length: 1 + p
  - spring: weak
    between: left, right
    stiffness: k
    free_length: 0.5
)",
                                "coupled.yaml", {{"k", k}});
}

Sweep swept(const ModelFamily& family, const std::string& name, double from, const std::vector<double>& values) {
  const Variation variation = parameter_of(family, name, {{name, from}});
  return sweep_modes(variation, find_equilibrium(family.at({{name, from}}), {.rest = EquilibriumRequest::nearest}),
                     values);
}

}  // namespace

TEST_CASE("sweep: every point has the modes of the model there, in the order of the branches") {
  const Study study("four_bar", "k", {{"k", 20}, {"N", 3}, {"c", 1}}, EquilibriumRequest::stable);
  const std::vector<double> values = spaced(20, 30, 15, Spacing::logarithmic);
  const Sweep sweep = sweep_modes(study.variation, study.start, values);
  REQUIRE(sweep.points.size() == values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    const Model model = study.family.at({{"k", values[k]}});
    const Spectrum alone = find_modes(linearize(model, find_equilibrium(model))).spectrum;
    CHECK(sweep.points[k].certified);
    CHECK(std::abs(sweep.s(0, static_cast<Eigen::Index>(k)) - alone.modes[0].s) < 1e-9 * std::abs(alone.modes[0].s));
  }
  CHECK(sweep.uncertain.empty());
  CHECK(!sweep.is_partial);
  CHECK(sweep.solves <= static_cast<Index>(1.5 * static_cast<double>(values.size())));
}

TEST_CASE("sweep: coupled pendulums veer, with the gap of the closed form; without the spring they cross") {
  const double k = 0.02;
  const std::vector<double> values = spaced(-0.2, 0.2, 12);
  const Sweep veering = swept(coupled_pendulums(k), "p", -0.2, values);
  CHECK(veering.uncertain.empty());
  REQUIRE(count_of(veering, SweepEvent::Kind::veering) == 1);
  CHECK(count_of(veering, SweepEvent::Kind::crossing) == 0);
  // ω² = g, g + 2k/m where the lengths are equal.
  const double gap = std::sqrt(10 + 2 * k) - std::sqrt(10);
  for (const SweepEvent& event : veering.events) CHECK(event.gap == doctest::Approx(gap).epsilon(0.2));
  // The branches do not cross: the lower one stays the lower one.
  for (Eigen::Index i = 0; i < veering.s.cols(); ++i) CHECK(veering.s(0, i).imag() < veering.s(1, i).imag());

  const Sweep crossing = swept(coupled_pendulums(0), "p", -0.2, values);
  CHECK(crossing.uncertain.empty());
  REQUIRE(count_of(crossing, SweepEvent::Kind::crossing) == 1);
  CHECK(count_of(crossing, SweepEvent::Kind::veering) == 0);
  CHECK(std::abs(crossing.events[0].parameter) < 1e-8);
  // One branch is the pendulum that does not change.
  const Eigen::Index last = crossing.s.cols() - 1;
  CHECK(crossing.s(0, 0).imag() == doctest::Approx(crossing.s(0, last).imag()).epsilon(1e-12));
}

TEST_CASE("sweep: undamped flutter, divergence and damped flutter are events with their places") {
  const Study column("ziegler_column", "P", {{"P", 0}});
  for (const Index points : {4, 13, 61}) {
    CAPTURE(points);
    const Sweep sweep = sweep_modes(column.variation, column.start, spaced(0, 3, points));
    REQUIRE(sweep.events.size() == 1);
    CHECK(sweep.events[0].kind == SweepEvent::Kind::flutter);
    CHECK(sweep.events[0].parameter == doctest::Approx(3.5 - std::sqrt(2)).epsilon(1e-9));
    CHECK(sweep.events[0].destabilizes);
  }
  const Study turning("turning_pendulum", "W", {{"W", 1}, {"a", 0}});
  const Sweep sweep = sweep_modes(turning.variation, turning.start, spaced(1, 6, 7));
  REQUIRE(count_of(sweep, SweepEvent::Kind::divergence) == 1);
  CHECK(sweep.events[0].parameter == doctest::Approx(std::sqrt(9.81 / 0.8)).epsilon(1e-9));
}

TEST_CASE("sweep: a pair becomes real between two points, and one of both passes zero there") {
  const Study study("four_bar", "k", {{"k", 20}, {"N", 3}, {"c", 1}}, EquilibriumRequest::stable);
  for (const Index points : {5, 8, 40}) {
    CAPTURE(points);
    const Sweep sweep = sweep_modes(study.variation, study.start, spaced(20, 40, points));
    REQUIRE(sweep.events.size() == 2);
    CHECK(sweep.events[0].kind == SweepEvent::Kind::coalescence);
    CHECK(!sweep.events[0].destabilizes);
    CHECK(sweep.events[1].kind == SweepEvent::Kind::divergence);
    CHECK(sweep.events[1].destabilizes);
    CHECK(sweep.events[1].parameter > sweep.events[0].parameter);
    CHECK(std::abs(sweep.events[1].parameter - 32.7) <= sweep.events[1].error + 1e-9);
  }
}

TEST_CASE("sweep: ends where its equilibrium does, and where it is interrupted, with what was finished") {
  const Study arch("von_mises_truss", "P");
  const Sweep sweep = sweep_modes(arch.variation, arch.start, spaced(0, 12, 5));
  CHECK(sweep.is_partial);
  CHECK(sweep.points.size() == 4);
  int asked = 0;
  const Sweep stopped =
      sweep_modes(arch.variation, arch.start, spaced(0, 9, 10), {.stop = [&] { return ++asked > 3; }});
  CHECK(stopped.is_partial);
  CHECK(stopped.points.size() == 3);
  CHECK(stopped.s.cols() == 3);
}

TEST_CASE("sweep: the neighbouring equilibrium is followed, not the nearest or the most stable one") {
  // Beyond the speed at which the hanging pendulum becomes unstable it is still the one that is followed.
  const Study turning("turning_pendulum", "W", {{"W", 1}, {"a", 0}}, EquilibriumRequest::stable);
  const Sweep sweep = sweep_modes(turning.variation, turning.start, spaced(1, 8, 8));
  CHECK(sweep.points.back().verdict.stability == Stability::unstable);
  CHECK(sweep.points.back().q.cwiseAbs().maxCoeff() < 1e-9);
}

TEST_CASE("sweep: what cannot be swept is refused") {
  CHECK_THROWS_AS(spaced(1, 1, 5), Error);
  CHECK_THROWS_AS(spaced(0, 1, 1), Error);
  CHECK_THROWS_AS(spaced(0, 1, 5, Spacing::logarithmic), Error);
  const Study arch("von_mises_truss", "P");
  CHECK_THROWS_AS(sweep_modes(arch.variation, arch.start, {1, 0}), Error);
  CHECK_THROWS_WITH_AS(parameter_of(testing::family_of_case("four_bar"), "N"),
                       "parameter 'N' takes whole numbers only: it counts things, and nothing has a derivative with "
                       "respect to it",
                       Error);
}

namespace {

// A chain of 600 masses, whose lowest frequencies do not depend on L, and a pendulum of length L beside it.
ModelFamily chain_beside_pendulum() {
  return ModelFamily::from_text(R"(stillpoint: 1
name: chain_beside_pendulum
parameters:
  L: 40
gravity: 0, -9.81
mechanism:
  - fixed: P[0]
    at: 0, 0
  - for: i in 1..600
    do:
      - point: P[i]
        at: 0, -i
        mass: 1
      - distance: rod[i]
        between: P[i-1], P[i]
        length: 1
  - fixed: O
    at: 5, 0
  - point: Q
    at: 5, -L
    mass: 1
  - distance: string
    between: O, Q
    length: L
)",
                                "chain.yaml");
}

}  // namespace

TEST_CASE("sweep: of large models the lowest modes are followed, and one that was not among them may cross them") {
  const ModelFamily family = chain_beside_pendulum();
  const Variation length = parameter_of(family, "L");
  const Equilibrium start = find_equilibrium(family.at(), {.rest = EquilibriumRequest::nearest});
  const std::vector<double> values = spaced(40, 640, 16);
  // At L = 40 the pendulum is the third one.
  const Sweep lowest = sweep_modes(length, start, values, {.count = 1});
  const Sweep three = sweep_modes(length, start, values, {.count = 3});
  for (const Sweep* const sweep : {&lowest, &three}) {
    CAPTURE(sweep->ended);
    REQUIRE(!sweep->is_partial);
    CHECK(sweep->uncertain.empty());
    REQUIRE(sweep->s.cols() == 16);
  }
  REQUIRE(lowest.s.rows() == 1);
  REQUIRE(three.s.rows() == 3);
  const double of_chain = lowest.s(0, 0).imag();
  for (Eigen::Index k = 0; k < lowest.s.cols(); ++k) {
    CHECK(lowest.s(0, k).imag() == doctest::Approx(of_chain).epsilon(1e-10));
    CHECK(three.s(0, k).imag() == doctest::Approx(of_chain).epsilon(1e-10));
    CHECK(three.s(2, k).imag() ==
          doctest::Approx(std::sqrt(9.81 / values[static_cast<std::size_t>(k)])).epsilon(1e-10));
  }
  // It crosses the second one where that has the same frequency, and the first one.
  REQUIRE(count_of(three, SweepEvent::Kind::crossing) == 2);
  CHECK(three.events[0].parameter == doctest::Approx(9.81 / std::norm(three.s(1, 0))).epsilon(1e-4));
  CHECK(three.events[1].parameter == doctest::Approx(9.81 / std::norm(three.s(0, 0))).epsilon(1e-4));
  CHECK_THROWS_AS(sweep_modes(length, start, values, {.count = 201}), Error);
}

// Each point begins with the motions of the one before it; what is found must not depend on that.
TEST_CASE("sweep: of a large damped model every point has the modes that are found without a neighbour") {
  for (const std::string name : {"k", "c"}) {
    CAPTURE(name);
    const ModelFamily family(std::string(STILLPOINT_SOURCE_DIR) + "/tests/bench/damped_grid.yaml", {{"N", 17}});
    const Variation variation = parameter_of(family, name);
    const Equilibrium start = find_equilibrium(family.at(), {.rest = EquilibriumRequest::nearest});
    REQUIRE(start.dof > few_dof);
    const std::vector<double> values = spaced(variation.value, 1.2 * variation.value, 5);
    const Sweep sweep = sweep_modes(variation, start, values, {.count = 4});
    CAPTURE(sweep.ended);
    REQUIRE(!sweep.is_partial);
    REQUIRE(sweep.s.cols() == 5);
    REQUIRE(sweep.s.rows() == 4);
    for (std::size_t k = 0; k < values.size(); ++k) {
      CAPTURE(k);
      CHECK(sweep.points[k].certified);
      const Model model = variation.model_at(values[k]);
      const LinearSystem system =
          linearize(model, find_equilibrium(model, start.state, {.rest = EquilibriumRequest::nearest}));
      const Spectrum cold = find_modes(system, Method::mcs, {.modes = {.which = Lowest{6}}}).spectrum;
      for (Eigen::Index b = 0; b < sweep.s.rows(); ++b) {
        const std::complex<double> s = sweep.s(b, static_cast<Eigen::Index>(k));
        double apart = std::abs(s);
        for (const Mode& mode : cold.modes) apart = std::min(apart, std::abs(mode.s - s));
        CHECK(apart <= 1e-11 * std::abs(s));
      }
    }
  }
}

TEST_CASE("sweep: the place of buckling does not depend on how far the points are from each other") {
  const Study study("four_bar", "k", {{"k", 30}}, EquilibriumRequest::stable);
  for (const Index points : {3, 6, 11}) {
    CAPTURE(points);
    const Sweep sweep = sweep_modes(study.variation, study.start, spaced(30, 40, points));
    REQUIRE(count_of(sweep, SweepEvent::Kind::divergence) == 1);
    CHECK(std::abs(sweep.events[0].parameter - 39.24) < 1e-8);  // 4 m g/l
  }
}

TEST_CASE("sweep: the same bits by any number of threads") {
  const Study study("four_bar", "k", {{"N", 2}, {"c", 0.3}}, EquilibriumRequest::stable);
  std::vector<std::string> texts;
  for (const int threads : {1, 2, 3}) {
    const AtMost limit(threads);
    texts.push_back(to_csv(sweep_modes(study.variation, study.start, spaced(25, 60, 70))));
  }
  CHECK(texts[0] == texts[1]);
  CHECK(texts[0] == texts[2]);
}
