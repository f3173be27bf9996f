// Critical points against closed forms.
#include "stillpoint/critical.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "stillpoint/assembly.h"
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

namespace {

/// The flutter load of the tapered column, with its rates.
CriticalPoint flutter_of_column(double a, double b) {
  const ModelFamily family = stillpoint::testing::family_of_case("tapered_column", {{"n", 8}});
  const Variation load = parameter_of(family, "P", {{"P", 0}, {"a", a}, {"b", b}});
  CriticalOptions how{.points = 11};
  how.parameters = [&](double P) {
    const Parameters at{{"P", P}, {"a", a}, {"b", b}};
    return std::vector<Variation>{parameter_of(family, "a", at), parameter_of(family, "b", at)};
  };
  const CriticalPoints found = find_critical_points(
      load, find_equilibrium(family.at({{"P", 0}, {"a", a}, {"b", b}}), {.rest = EquilibriumRequest::nearest}), 0, 35,
      how);
  REQUIRE(!found.points.empty());
  REQUIRE(found.points[0].kind == CriticalPoint::Kind::flutter);
  REQUIRE(found.points[0].certified);
  return found.points[0];
}

// Twice the kinetic energy of a motion across the column.
double mass_of(double a, double b) {
  const Model model =
      stillpoint::testing::family_of_case("tapered_column", {{"n", 8}}).at({{"a", a}, {"b", b}, {"P", 0}});
  Eigen::VectorXd across(model.coordinates());
  for (Index i = 0; i < model.coordinates(); ++i) across[i] = model.coordinate_name(i).ends_with(".y") ? 1 : 0;
  return across.dot(Assembly(model).at(model.initial_state()).M * across);
}

std::vector<CriticalRate> rates_of(const Study& study, const Parameters& settings, double to,
                                   const std::vector<std::string>& names) {
  CriticalOptions how;
  how.parameters = [&](double value) {
    Parameters at = settings;
    at.emplace_back(study.variation.name, value);
    std::vector<Variation> all;
    for (const std::string& name : names) all.push_back(parameter_of(study.family, name, at));
    return all;
  };
  const CriticalPoints found = find_critical_points(study.variation, study.start, study.variation.value, to, how);
  REQUIRE(found.points.size() == 1);
  REQUIRE(found.points[0].rates.size() == names.size());
  return found.points[0].rates;
}

}  // namespace

TEST_CASE("critical points: how they move with other parameters, against closed forms") {
  SUBCASE("where eigenvalues meet: the load of the undamped column is proportional to c/l") {
    const Study column("ziegler_column", "P", {{"P", 0}});
    const auto rates = rates_of(column, {}, 3, {"c", "l", "m"});
    CHECK(rates[0].rate == doctest::Approx(3.5 - std::sqrt(2)).epsilon(1e-10));
    CHECK(rates[1].rate == doctest::Approx(std::sqrt(2) - 3.5).epsilon(1e-10));
    CHECK(std::abs(rates[2].rate) < 1e-10);
  }
  SUBCASE("where one crosses the axis: with dampers b1 and b2") {
    const double b1 = 0.1, b2 = 0.2;
    const Study column("ziegler_column", "P", {{"P", 0}, {"b1", b1}, {"b2", b2}});
    const auto rates = rates_of(column, {}, 2.5, {"b1", "b2"});
    // P = N/2D + b1 b2/2
    const double N = 4 * b1 * b1 + 33 * b1 * b2 + 4 * b2 * b2, D = b1 * b1 + 7 * b1 * b2 + 6 * b2 * b2;
    const auto rate = [&](double dN, double dD, double other) { return (dN * D - N * dD) / (2 * D * D) + other / 2; };
    CHECK(rates[0].rate == doctest::Approx(rate(8 * b1 + 33 * b2, 2 * b1 + 7 * b2, b2)).epsilon(1e-9));
    CHECK(rates[1].rate == doctest::Approx(rate(33 * b1 + 8 * b2, 7 * b1 + 12 * b2, b1)).epsilon(1e-9));
  }
  SUBCASE("where the equilibrium loses its last stiffness: W² = g/l") {
    const Study pendulum("turning_pendulum", "W", {{"W", 1}, {"a", 0}}, EquilibriumRequest::stable);
    const auto rates = rates_of(pendulum, {{"a", 0}}, 8, {"g", "l"});
    const double g = rates[0].value, l = rates[1].value, W = std::sqrt(g / l);
    CHECK(rates[0].rate == doctest::Approx(W / (2 * g)).epsilon(1e-9));
    CHECK(rates[1].rate == doctest::Approx(-W / (2 * l)).epsilon(1e-9));
  }
}

// Gauss and Newton's steps, each the least change of the design that its rates promise to be enough.
TEST_CASE("critical points: a column is designed for a fifth more of load at the same mass") {
  Eigen::Vector2d design(0, 0);
  CriticalPoint point = flutter_of_column(design[0], design[1]);
  const double wanted = 1.2 * point.parameter;
  int steps = 0;
  for (; steps < 10 && std::abs(point.parameter - wanted) > 1e-9 * wanted; ++steps) {
    const Eigen::Vector2d gradient(point.rates[0].rate, point.rates[1].rate);
    design += gradient * (wanted - point.parameter) / gradient.squaredNorm();
    point = flutter_of_column(design[0], design[1]);
  }
  CHECK(steps <= 6);
  CHECK(std::abs(point.parameter - wanted) <= 1e-9 * wanted);
  CHECK(design.norm() < 0.3);
  CHECK(mass_of(design[0], design[1]) == doctest::Approx(mass_of(0, 0)).epsilon(1e-14));
  MESSAGE("a = ", design[0], ", b = ", design[1], " after ", steps, " steps");
}

namespace {

struct RotorStudy {
  Variation variation;
  Equilibrium start;
};

/// A disc on a universal joint, A across and C along its axis, which hangs (side −1) or stands (side 1) and spins with
/// W: A ω² ∓ C W ω − side m g l = 0 for both directions of whirl.
RotorStudy rotor(int side, double start, const std::string& unit = "rad/s", double per_unit = 1) {
  const std::string text = fmt::format(R"(stillpoint: 1
name: rotor
dimension: 3
parameters:
  A: 0.02
  C: 0.004
  W: {{value: {}, unit: {}}}
gravity: 0, 0, -9.81
mechanism:
  - body: disc
    at: 0, 0, 0
    mass: 0.5
    centre: 0, 0, {}
    inertia: A - 0.5*0.1^2, A - 0.5*0.1^2, C
  - universal: pivot
    between: ground, disc
    at: 0, 0, 0
    axis: 1, 0, 0
    second_axis: 0, 1, 0
  - rotor: spin
    on: disc
    momentum: 0, 0, C*W*{:.17g}
)",
                                       start, unit, 0.1 * side, per_unit);
  const ModelFamily family = ModelFamily::from_text(text, "rotor.yaml");
  return {parameter_of(family, "W"), find_equilibrium(family.at(), {.rest = EquilibriumRequest::nearest})};
}

}  // namespace

TEST_CASE("targets: the critical speeds of a rotor are where its whirl meets an order of the speed") {
  const double weight = 0.5 * 9.81 * 0.1, A = 0.02, C = 0.004;
  for (const double order : {1.0, 2.0, 0.5}) {
    CAPTURE(order);
    const double backward = std::sqrt(weight / (order * order * A + order * C)),
                 forward = std::sqrt(weight / (order * order * A - order * C));
    const RotorStudy study = rotor(-1, 0);
    const TargetPoints found =
        find_targets(study.variation, study.start, 0, 20, {ModeTarget::Quantity::order_of_speed, order});
    REQUIRE(found.points.size() == 2);
    CHECK(std::abs(found.points[0].parameter - backward) < 1e-12 * backward);
    CHECK(std::abs(found.points[1].parameter - forward) < 1e-12 * forward);
    for (const TargetPoint& point : found.points) {
      CHECK(std::abs(point.s.imag()) == doctest::Approx(order * point.parameter).epsilon(1e-12));
      CHECK(point.error < 1e-10 * point.parameter);
    }
  }
  // The same in revolutions per minute.
  const double per_unit = 2 * pi / 60, backward = std::sqrt(weight / (A + C)) / per_unit;
  const RotorStudy minutes = rotor(-1, 0, "rpm", per_unit);
  const TargetPoints found =
      find_targets(minutes.variation, minutes.start, 0, 200, {ModeTarget::Quantity::order_of_speed, 1});
  REQUIRE(found.points.size() == 2);
  CHECK(std::abs(found.points[0].parameter - backward) < 1e-12 * backward);
}

// (A − C) W² + m g l = 0 has no solution: the top that sleeps has no critical speed.
TEST_CASE("targets: a sleeping top has no critical speed") {
  const RotorStudy study = rotor(1, 60);
  const TargetPoints found =
      find_targets(study.variation, study.start, 60, 400, {ModeTarget::Quantity::order_of_speed, 1});
  CHECK(found.points.empty());
  CHECK(!found.search.is_partial);
}
