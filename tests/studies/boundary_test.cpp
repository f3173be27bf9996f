// Boundary curves in the plane of two parameters, against closed forms.
#include "stillpoint/boundary.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "studies/studies_cases.h"
#include "support/error_texts.h"

using namespace stillpoint;
using stillpoint::testing::family_of_case;

namespace {

/// Both parameters of a family, the equilibrium found anew at each start.
struct Plane {
  Plane(const ModelFamily& of, const std::string& first, const std::string& second, const BoundaryOptions& with)
      : family(of), options(with) {
    plane = {first,
             "",
             second,
             "",
             [=](double value) {
               return parameter_of(of, first, {{second, value}});
             },
             [=](double value) {
               return parameter_of(of, second, {{first, value}});
             }};
    start = [=](double value) {
      Variation variation = parameter_of(of, first, {{second, value}});
      variation.value = with.first_from;
      return RowStart{variation,
                      find_equilibrium(variation.model_at(with.first_from), {.rest = EquilibriumRequest::nearest})};
    };
  }
  BoundaryCurves curves() const { return trace_boundaries(plane, start, options); }

  ModelFamily family;
  BoundaryOptions options;
  PlaneOfModels plane;
  RowStartAt start;
};

/// By the criterion of Routh and Hurwitz for 2s⁴ + a₃s³ + (7 − 2P + b₁b₂)s² + a₁s + 1.
double flutter_load(double b1, double b2) {
  const double a3 = b1 + 6 * b2, a1 = b1 + b2;
  return 0.5 * (7 + b1 * b2 - a3 / a1 - 2 * a1 / a3);
}

}  // namespace

TEST_CASE("boundaries: the flutter load of a damped column over one of its dampers") {
  const Plane plane(family_of_case("ziegler_column", {{"b2", 0.1}}), "P", "b1",
                    {.first_from = 0, .first_to = 3, .second_from = 0.01, .second_to = 1});
  const BoundaryCurves found = plane.curves();
  CHECK(found.notes.empty());
  REQUIRE(found.curves.size() == 1);
  const BoundaryCurve& curve = found.curves[0];
  CHECK(curve.kind == CriticalPoint::Kind::flutter);
  CHECK(curve.ended == "");
  CHECK(curve.marks.empty());
  REQUIRE(curve.points.size() > 20);
  double farthest = 0;
  for (std::size_t k = 0; k < curve.points.size(); ++k) {
    const BoundaryPoint& point = curve.points[k];
    CHECK(std::abs(point.first - flutter_load(point.second, 0.1)) < 1e-10);
    CHECK(point.unstable_beside == 0);
    if (k > 0)
      farthest = std::max(farthest, std::hypot((point.first - curve.points[k - 1].first) / 3,
                                               (point.second - curve.points[k - 1].second) / 0.99));
  }
  CHECK(farthest < 0.03);
  CHECK(std::min(curve.points.front().second, curve.points.back().second) == doctest::Approx(0.01));
  CHECK(std::max(curve.points.front().second, curve.points.back().second) == doctest::Approx(1));
}

// With b₂ = 0.01 the load has a maximum over b₁: as the second parameter it turns back there.
TEST_CASE("boundaries: a curve is followed to where it turns back, and beyond") {
  const Plane plane(family_of_case("ziegler_column", {{"b2", 0.01}}), "b1", "P",
                    {.first_from = 0.005, .first_to = 1, .second_from = 1.9, .second_to = 2.3});
  const BoundaryCurves found = plane.curves();
  REQUIRE(found.curves.size() == 1);
  const BoundaryCurve& curve = found.curves[0];
  for (const BoundaryPoint& point : curve.points)
    CHECK(std::abs(point.second - flutter_load(point.first, 0.01)) < 1e-9);
  REQUIRE(curve.marks.size() == 1);
  CHECK(curve.marks[0].kind == BoundaryMark::Kind::turning);
  double largest = 0;
  for (double b1 = 0.05; b1 < 0.3; b1 += 1e-5) largest = std::max(largest, flutter_load(b1, 0.01));
  CHECK(std::abs(curve.marks[0].second - largest) < 1e-9);
  const BoundaryPoint &one = curve.points.front(), &other = curve.points.back();
  CHECK(std::max(one.first, other.first) == doctest::Approx(1).epsilon(1e-9));
  CHECK(std::min(one.second, other.second) == doctest::Approx(1.9).epsilon(1e-9));
}

TEST_CASE("boundaries: undamped frequencies that meet, over the stiffness") {
  const Plane plane(family_of_case("ziegler_column"), "P", "c",
                    {.first_from = 0, .first_to = 6, .second_from = 0.5, .second_to = 2});
  const BoundaryCurves found = plane.curves();
  REQUIRE(found.curves.size() == 1);
  REQUIRE(found.curves[0].points.size() > 10);
  for (const BoundaryPoint& point : found.curves[0].points)
    CHECK(std::abs(point.first - (3.5 - std::numbers::sqrt2) * point.second) < 1e-10);
}

TEST_CASE("boundaries: damping parts undamped frequencies that meet, and no curve is drawn from there") {
  const Plane plane(family_of_case("ziegler_column"), "P", "b1",
                    {.first_from = 0, .first_to = 3, .second_from = 0, .second_to = 0.5});
  const BoundaryCurves found = plane.curves();
  REQUIRE(found.notes.size() >= 1);
  CHECK(contains(found.notes[0], "only as long as nothing is damped"));
}

TEST_CASE("boundaries: a pendulum that stands on a spring falls where the spring is softer than m g l") {
  const ModelFamily family = ModelFamily::from_text(R"(stillpoint: 1
name: standing_pendulum
parameters:
  m: 1
  l: 0.5
  k: 8
gravity: 0, -9.81
mechanism:
  - fixed: A
    at: 0, 0
  - point: B
    at: 0, l
    mass: m
  - distance: rod
    between: A, B
    length: l
  - scalar: phi
    value: pi/2
  - angle: phi
    of: phi
    between: A, B
  - scalar_spring: spring
    of: phi
    stiffness: k
    free_value: pi/2
)",
                                                    "standing_pendulum.yaml");
  const Plane plane(family, "k", "m", {.first_from = 1, .first_to = 12, .second_from = 0.5, .second_to = 2});
  const BoundaryCurves found = plane.curves();
  for (const std::string& note : found.notes) MESSAGE(note);
  REQUIRE(found.curves.size() == 1);
  CHECK(found.curves[0].kind == CriticalPoint::Kind::divergence);
  REQUIRE(found.curves[0].points.size() > 10);
  for (const BoundaryPoint& point : found.curves[0].points)
    CHECK(std::abs(point.first - 9.81 * 0.5 * point.second) < 1e-9);
}

// m s² + c s + k: flutter at c = 0 < k, divergence at k = 0.
TEST_CASE("boundaries: where flutter meets divergence is found") {
  const ModelFamily family = ModelFamily::from_text(R"(stillpoint: 1
name: oscillator
parameters:
  c: 0.5
  k: 1
mechanism:
  - scalar: x
    value: 0
    mass: 2
  - scalar_spring: spring
    of: x
    stiffness: k
    damping: c
)",
                                                    "oscillator.yaml");
  const Plane plane(family, "c", "k", {.first_from = -0.7, .first_to = 1, .second_from = -0.5, .second_to = 1});
  const BoundaryCurves found = plane.curves();
  for (const std::string& note : found.notes) MESSAGE(note);
  REQUIRE(found.curves.size() == 1);
  const BoundaryCurve& curve = found.curves[0];
  CHECK(curve.kind == CriticalPoint::Kind::flutter);
  for (const BoundaryPoint& point : curve.points) CHECK(std::abs(point.first) < 1e-12);
  REQUIRE(curve.marks.size() == 1);
  CHECK(curve.marks[0].kind == BoundaryMark::Kind::double_zero);
  CHECK(std::abs(curve.marks[0].first) + std::abs(curve.marks[0].second) < 1e-10);
}

// The damper is negative inside of a circle.
TEST_CASE("boundaries: a closed curve is followed once around") {
  const ModelFamily family = ModelFamily::from_text(R"(stillpoint: 1
name: island
parameters:
  p: 0
  q: 0
mechanism:
  - scalar: x
    value: 0
    mass: 1
  - scalar_spring: spring
    of: x
    stiffness: 1
    damping: p^2 + q^2 - 0.25
)",
                                                    "island.yaml");
  const Plane plane(family, "p", "q", {.first_from = -1, .first_to = 1, .second_from = -1, .second_to = 1.2});
  const BoundaryCurves found = plane.curves();
  CHECK(found.notes.empty());
  REQUIRE(found.curves.size() == 1);
  const BoundaryCurve& curve = found.curves[0];
  CHECK(curve.is_closed);
  CHECK(curve.ended == "");
  CHECK(contains(to_text(found), "flutter on a closed curve through p = "));
  const std::string csv = to_csv(found);
  CHECK(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')) == curve.points.size() + 1);
  const auto json = nlohmann::json::parse(to_json(found));
  CHECK(json["curves"][0]["closed"] == true);
  CHECK(json["curves"][0]["points"].size() == curve.points.size());
  CHECK(json["curves"][0]["points"][0]["p"] == curve.points[0].first);
  double around = 0;
  for (std::size_t k = 0; k < curve.points.size(); ++k) {
    const BoundaryPoint& b = curve.points[k];
    CHECK(std::abs(std::hypot(b.first, b.second) - 0.5) < 1e-10);
    if (k == 0) continue;
    const BoundaryPoint& a = curve.points[k - 1];
    around += std::asin((a.first * b.second - a.second * b.first) / 0.25);
  }
  CHECK(std::abs(std::abs(around) - 2 * std::numbers::pi) < 1e-8);
  CHECK(std::count_if(curve.marks.begin(), curve.marks.end(), [](const BoundaryMark& mark) {
          return mark.kind == BoundaryMark::Kind::turning && std::abs(std::abs(mark.second) - 0.5) < 1e-9;
        }) == 2);
}

// Two oscillators that do not feel each other, with the dampers p and q - 0.3 p, grow beyond p = 0 and q = 0.3 p.
TEST_CASE("boundaries: where another one crosses is marked on both curves") {
  const ModelFamily family = ModelFamily::from_text(R"(stillpoint: 1
name: two_oscillators
parameters:
  p: 0.5
  q: 0.1
mechanism:
  - scalar: x
    value: 0
    mass: 1
  - scalar_spring: slow
    of: x
    stiffness: 1
    damping: p
  - scalar: y
    value: 0
    mass: 1
  - scalar_spring: fast
    of: y
    stiffness: 4
    damping: q - 0.3*p
)",
                                                    "two_oscillators.yaml");
  const Plane plane(family, "p", "q", {.first_from = -1, .first_to = 1, .second_from = -0.25, .second_to = 0.28});
  const BoundaryCurves found = plane.curves();
  REQUIRE(found.curves.size() == 2);
  for (const BoundaryCurve& curve : found.curves) {
    const bool is_slow = std::abs(std::abs(curve.points.front().s) - 1) < 1e-6;
    for (const BoundaryPoint& point : curve.points)
      CHECK(std::abs(is_slow ? point.first : point.second - 0.3 * point.first) < 1e-10);
    REQUIRE(curve.marks.size() == 1);
    const BoundaryMark& mark = curve.marks[0];
    CHECK(mark.kind == BoundaryMark::Kind::another_crosses);
    CHECK(std::abs(mark.first) + std::abs(mark.second) < 1e-9);
    CHECK(std::abs(std::abs(mark.s) - (is_slow ? 2 : 1)) < 1e-6);
    CHECK(curve.points.front().unstable_beside + curve.points.back().unstable_beside == 2);
  }
}
