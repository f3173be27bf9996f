// Stability over two parameters.
#include "stillpoint/stability_map.h"

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "stillpoint/error.h"
#include "studies/studies_cases.h"
#include "support/at_most.h"

using namespace stillpoint;
using stillpoint::testing::family_of_case;

namespace {

// Rows over `first` from its first value, along `second`.
struct TwoParameters {
  TwoParameters(const std::string& name, std::string first_name, double first_value, const std::string& second_name,
                double second_value, const Parameters& settings = {})
      : family(family_of_case(name, settings)),
        first(std::move(first_name)),
        second(parameter_of(family, second_name, {{first, first_value}, {second_name, second_value}})),
        rest(find_equilibrium(family.at({{first, first_value}, {second_name, second_value}}))),
        from(first_value) {}

  RowStartAt starts(double farthest) const {
    return starts_along(second, rest, farthest, [this](double value) {
      Variation variation = parameter_of(family, first, {{second.name, value}});
      variation.value = from;
      return variation;
    });
  }

  ModelFamily family;
  std::string first;
  Variation second;
  Equilibrium rest;
  double from;
};

// The flutter load of Ziegler's column (masses 2m and m, lengths, springs and m one) with dampers b1 and b2.
double flutter_load(double b1, double b2) {
  return (4 * b1 * b1 + 33 * b1 * b2 + 4 * b2 * b2) / (2 * (b1 * b1 + 7 * b1 * b2 + 6 * b2 * b2)) + 0.5 * b1 * b2;
}

StabilityMap map_of_column() {
  const TwoParameters column("ziegler_column", "P", 0, "b1", 0.01, {{"b2", 0.1}});
  return map_stability(column.starts(1), "b1", spaced(0.01, 1, 6), spaced(0, 3, 13));
}

}  // namespace

TEST_CASE("stability map: the flutter load of Ziegler's column over its damping is that of the closed form") {
  const StabilityMap map = map_of_column();
  CHECK(map.first == "P");
  CHECK(map.second == "b1");
  CHECK(!map.is_partial);
  REQUIRE(map.boundaries.size() == 1);
  const MapBoundary& boundary = map.boundaries[0];
  CHECK(boundary.kind == SweepEvent::Kind::flutter);
  CHECK(boundary.destabilizes);
  REQUIRE(boundary.points.size() == map.rows.size());
  CHECK(map.rows.size() > 6);  // the load changes fast next to b1 = 0
  for (const MapBoundary::Point& point : boundary.points) {
    CAPTURE(point.second);
    CHECK(std::abs(point.first - flutter_load(point.second, 0.1)) <= point.error + 1e-11);
    CHECK(point.error < 1e-9);
  }
  for (const MapRow& row : map.rows) {
    const std::vector<MapSegment> segments = segments_of(row.sweep);
    REQUIRE(segments.size() == 2);
    REQUIRE(segments[0].sample);
    REQUIRE(segments[1].sample);
    CHECK(segments[0].sample->verdict.stability == Stability::asymptotically_stable);
    CHECK(segments[1].sample->verdict.stability == Stability::unstable);
    CHECK(segments[0].to == segments[1].from);
  }
}

TEST_CASE("stability map: the same bits by any number of threads") {
  std::vector<std::string> texts;
  for (const int threads : {1, 2, 3}) {
    const AtMost limit(threads);
    texts.push_back(to_json(map_of_column()));
  }
  CHECK(texts[0] == texts[1]);
  CHECK(texts[0] == texts[2]);
}

// The hanging pendulum that turns about its axis becomes unstable at W² = g/l.
TEST_CASE("stability map: of divergence") {
  const TwoParameters pendulum("turning_pendulum", "W", 0.5, "l", 0.5, {{"a", 0}});
  const StabilityMap map = map_stability(pendulum.starts(2), "l", spaced(0.5, 2, 4), spaced(0.5, 6, 12));
  REQUIRE(map.boundaries.size() == 1);
  CHECK(map.boundaries[0].kind == SweepEvent::Kind::divergence);
  for (const MapBoundary::Point& point : map.boundaries[0].points)
    CHECK(point.first == doctest::Approx(std::sqrt(9.81 / point.second)).epsilon(1e-9));
}

TEST_CASE("stability map: rows without an equilibrium say why, and a study that is stopped keeps what it has") {
  const TwoParameters column("ziegler_column", "P", 0, "b1", 0.01, {{"b2", 0.1}});
  const RowStartAt starts = column.starts(1);
  const RowStartAt some = [&](double value) {
    if (value > 0.5) throw Error("there is none");
    return starts(value);
  };
  const StabilityMap map = map_stability(some, "b1", {0.1, 0.2, 0.9}, spaced(0, 3, 7), {.most_divisions = 0});
  REQUIRE(map.rows.size() == 3);
  CHECK(map.rows[2].sweep.points.empty());
  CHECK(map.rows[2].sweep.ended == "there is none");
  CHECK(segments_of(map.rows[2].sweep).empty());
  CHECK_THROWS_WITH_AS(map_stability(some, "b1", {0.6, 0.9}, spaced(0, 3, 7)), "there is none", Error);
  CHECK_THROWS_AS(map_stability(some, "b1", {0.1}, spaced(0, 3, 7)), Error);
  int asked = 0;
  const AtMost one(1);
  const StabilityMap stopped =
      map_stability(starts, "b1", {0.1, 0.2, 0.3}, spaced(0, 3, 7), {.stop = [&] { return ++asked > 9; }});
  CHECK(stopped.is_partial);
  CHECK(stopped.rows.size() == 2);
  CHECK(stopped.rows[0].sweep.points.size() == 7);
}

TEST_CASE("stability map: JSON holds the grid and the boundaries, and the picture both kinds of places") {
  const StabilityMap map = map_of_column();
  const nlohmann::json json = nlohmann::json::parse(to_json(map));
  CHECK(json["schema"] == "stillpoint.sweep/1");
  CHECK(json["parameters"]["P"].size() == 13);
  CHECK(json["parameters"]["b1"].size() == map.rows.size());
  CHECK(json["points"].size() == 13 * map.rows.size());
  CHECK(json["boundaries"][0]["points"].size() == map.rows.size());
  CHECK(json["points"][0]["values"].contains("b1"));
  const std::string picture = to_svg(map);
  CHECK(picture.find("#f4c7b5") != std::string::npos);
  CHECK(picture.find("#dceaf4") != std::string::npos);
}
