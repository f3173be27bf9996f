// Critical points against closed forms.
#include "stillpoint/critical.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "studies/studies_cases.h"

using namespace stillpoint;
using stillpoint::testing::Study;

namespace {

constexpr double pi = std::numbers::pi;

CriticalPoints critical_of(const Study& study, double from, double to) {
  return find_critical_points(study.variation, study.start, from, to);
}

/// One point of this kind, certified, to ten digits of the closed form, and within its own bound or rounding of it.
void check_single(const CriticalPoints& found, CriticalPoint::Kind kind, double exact) {
  REQUIRE(found.points.size() == 1);
  const CriticalPoint& point = found.points[0];
  CHECK(point.kind == kind);
  CHECK(std::abs(point.parameter - exact) <= 1e-10 * std::abs(exact));
  CHECK(std::abs(point.parameter - exact) <= point.error + 4e-15 * std::abs(exact));
  CHECK(point.error <= 1e-9 * std::abs(exact));
  CHECK(point.certified);
  CHECK(found.unexplained.empty());
  CHECK(!found.is_partial);
}

}  // namespace

TEST_CASE("critical points: undamped flutter of Ziegler's column") {
  const CriticalPoints found = critical_of(Study("ziegler_column", "P", {{"P", 0}}), 0, 3);
  check_single(found, CriticalPoint::Kind::flutter, 3.5 - std::sqrt(2));
  CHECK(std::abs(found.points[0].s.imag()) == doctest::Approx(std::pow(0.5, 0.25)).epsilon(1e-9));
  CHECK(found.points[0].unstable_before == 0);
  CHECK(found.points[0].unstable_after == 2);
  CHECK(std::isinf(found.points[0].slope.real()));
}

TEST_CASE("critical points: equal dampers destabilise Ziegler's column, and any of them by a finite amount") {
  for (const double b : {0.1, 1e-3}) {
    CAPTURE(b);
    const CriticalPoints found = critical_of(Study("ziegler_column", "P", {{"P", 0}, {"b1", b}, {"b2", b}}), 0, 2);
    check_single(found, CriticalPoint::Kind::flutter, 41.0 / 28 + b * b / 2);
    CHECK(found.points[0].slope.real() > 0);
  }
}

TEST_CASE("critical points: the sleeping top, at a point of the study and beside one") {
  for (const double from : {0.5, 0.51}) {
    CAPTURE(from);
    const CriticalPoints found = critical_of(Study("sleeping_top", "part", {{"part", from}}), from, 1.5);
    check_single(found, CriticalPoint::Kind::flutter, 1);
    CHECK(found.points[0].unstable_before == 2);
    CHECK(found.points[0].unstable_after == 0);
  }
}

TEST_CASE("critical points: a pendulum on the axis of a turning frame, and one whose damper changes its sign") {
  const CriticalPoints turning = critical_of(Study("turning_pendulum", "W", {{"W", 1}, {"a", 0}}), 1, 6);
  check_single(turning, CriticalPoint::Kind::divergence, std::sqrt(9.81 / 0.8));
  const CriticalPoints damped = critical_of(Study("pendulum", "c", {{"c", -1}}), -1, 1);
  REQUIRE(damped.points.size() == 1);
  CHECK(std::abs(damped.points[0].parameter) < 1e-12);
  CHECK(damped.points[0].kind == CriticalPoint::Kind::flutter);
  CHECK(damped.points[0].slope.real() == doctest::Approx(-1 / (2 * 1 * 0.25)).epsilon(1e-9));
}

TEST_CASE("critical points: buckling of a column converges with the square of the mesh to Euler's loads") {
  double before = 0;
  for (const double n : {4, 8}) {
    const CriticalPoints found = critical_of(Study("beck_column", "P", {{"P", 0}, {"follows", 0}, {"n", n}}), 0, 30);
    REQUIRE(found.points.size() == 2);
    for (std::size_t k = 0; k < 2; ++k) {
      CHECK(found.points[k].kind == CriticalPoint::Kind::divergence);
      CHECK(found.points[k].certified);
      CHECK(found.points[k].unstable_after == static_cast<Index>(k) + 1);
    }
    const double error = found.points[0].parameter / (pi * pi / 4) - 1;
    if (before != 0) CHECK(before / error == doctest::Approx(16).epsilon(0.25));
    before = error;
  }
}

TEST_CASE("critical points: flutter of Beck's column") {
  const CriticalPoints found = critical_of(Study("beck_column", "P", {{"P", 0}, {"n", 8}}), 0, 30);
  REQUIRE(found.points.size() == 1);
  CHECK(found.points[0].kind == CriticalPoint::Kind::flutter);
  CHECK(found.points[0].certified);
  CHECK(found.points[0].parameter == doctest::Approx(20.05095361897).epsilon(1e-3));
}

TEST_CASE("critical points: critical damping is a coalescence that changes no stability") {
  const Study study("four_bar", "c", {{"c", 0}}, EquilibriumRequest::stable);
  const CriticalPoints found = critical_of(study, 0, 40);
  REQUIRE(found.points.size() == 1);
  CHECK(found.points[0].kind == CriticalPoint::Kind::coalescence);
  CHECK(found.points[0].certified);
}

// At k = 10 m g / 3 … the leaning linkages pass the upright ones, and lose their stability to them.
TEST_CASE("critical points: a branch that another one crosses is not left for it") {
  for (const double c : {0.0, 1.0}) {
    CAPTURE(c);
    const Study study("four_bar", "k", {{"k", 20}, {"N", 3}, {"c", c}}, EquilibriumRequest::stable);
    const CriticalPoints found = critical_of(study, 20, 40);
    REQUIRE(!found.points.empty());
    const CriticalPoint& point = found.points.back();
    CHECK(point.kind == CriticalPoint::Kind::divergence);
    CHECK(std::abs(point.parameter - 32.7) <= point.error + 1e-12);
    CHECK(point.error < 1e-5);
    CHECK(point.unstable_before == 0);
    CHECK(point.unstable_after == 1);
    CHECK(point.certified);
    CHECK(found.unexplained.empty());
  }
}

TEST_CASE("critical points: where nothing happens the answer says so, and where the path ends as well") {
  const CriticalPoints quiet = critical_of(Study("pendulum", "l", {{"l", 0.5}}), 0.5, 2);
  CHECK(quiet.points.empty());
  CHECK(quiet.unexplained.empty());
  const CriticalPoints early = critical_of(Study("von_mises_truss", "P"), 0, 12);
  CHECK(early.is_partial);
  CHECK(early.ended.find("its branch ends or turns back") != std::string::npos);
}

// The closed form of the four-bar linkage: 1.8 rad/s at k = 29.040442.
TEST_CASE("targets: a stiffness for a frequency, and a damper for a damping ratio") {
  const Study spring("four_bar", "k", {{"k", 25}}, EquilibriumRequest::stable);
  const TargetPoints stiffness =
      find_targets(spring.variation, spring.start, 25, 32, {ModeTarget::Quantity::frequency_hz, 1.8 / (2 * pi), 1});
  REQUIRE(stiffness.points.size() == 1);
  CHECK(stiffness.points[0].parameter == doctest::Approx(29.040442).epsilon(1e-7));
  CHECK(std::abs(stiffness.points[0].s.imag()) == doctest::Approx(1.8).epsilon(1e-12));

  // ζ = c / (2 m l² ω₀), ω₀² = g / l.
  const Study damper("pendulum", "c", {{"c", 0}});
  const TargetPoints damping =
      find_targets(damper.variation, damper.start, 0, 1, {ModeTarget::Quantity::damping_ratio, 0.05});
  REQUIRE(damping.points.size() == 1);
  CHECK(damping.points[0].parameter == doctest::Approx(0.05 * 2 * 0.25 * std::sqrt(9.81 / 0.5)).epsilon(1e-12));
  CHECK(find_targets(damper.variation, damper.start, 0, 1, {ModeTarget::Quantity::damping_ratio, 0.9}).points.empty());
}
