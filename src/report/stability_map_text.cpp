// A stability map in words, as CSV and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "base/at.h"
#include "formats/json_number.h"
#include "report/digits.h"
#include "report/json_parts.h"
#include "report/parameter_axis.h"
#include "stillpoint/stability_map.h"

namespace stillpoint {

namespace {

std::string words_of(const MapSegment& segment) {
  return segment.sample ? in_words(segment.sample->verdict) : "not sampled";
}

const SweepEvent* change_at(const Sweep& row, double parameter) {
  for (const SweepEvent& event : row.events) {
    if (changes_stability(event) && event.parameter == parameter) return &event;
  }
  return nullptr;
}

// "stable to 2.07 (flutter), unstable to 3"
std::string row_text(const MapRow& row) {
  std::string text;
  for (const MapSegment& segment : segments_of(row.sweep)) {
    const SweepEvent* const change = change_at(row.sweep, segment.to);
    text += fmt::format("{}{} to {:.10g}", text.empty() ? "" : ", ", words_of(segment), segment.to);
    if (change) text += fmt::format(" ({})", to_words(change->kind));
  }
  if (row.sweep.is_partial) text += (text.empty() ? "" : "; ") + row.sweep.ended;
  return text;
}

// Of the modes at a point the one with the largest real part.
std::complex<double> least_stable(const Sweep& sweep, std::size_t k) {
  std::complex<double> result{std::numeric_limits<double>::quiet_NaN(), 0};
  for (const std::complex<double> s : sweep.s.col(static_cast<Eigen::Index>(k))) {
    if (std::isfinite(s.real()) && !(s.real() <= result.real())) result = s;
  }
  return result;
}

Json boundary_json(const StabilityMap& map, const MapBoundary& boundary) {
  Json points = Json::array();
  for (const MapBoundary::Point& point : boundary.points)
    points.push_back({{map.first, json_number(point.first)},
                      {map.second, json_number(point.second)},
                      {"error", json_number(point.error)},
                      {"s", complex_json(point.s)}});
  return {{"kind", to_words(boundary.kind)}, {"destabilizes", boundary.destabilizes}, {"points", points}};
}

}  // namespace

std::string to_text(const StabilityMap& map) {
  constexpr int column = 14;
  std::string text = fmt::format("{}  stability over {}\n", left(with_unit(map.second, map.second_unit), column),
                                 with_unit(map.first, map.first_unit));
  for (const MapRow& row : map.rows)
    text += left(fmt::format("{:.8g}", row.value), column) + "  " + row_text(row) + "\n";
  text += map.boundaries.empty() ? "\nStability changes nowhere in between.\n" : "\nBoundaries\n";
  for (const MapBoundary& boundary : map.boundaries) {
    const MapBoundary::Point &first = boundary.points.front(), &last = boundary.points.back();
    text += fmt::format("  {} from {} = {:.8g}, {} = {:.8g}", to_words(boundary.kind), map.first, first.first,
                        map.second, first.second);
    if (boundary.points.size() > 1) text += fmt::format(" to {:.8g}, {:.8g}", last.first, last.second);
    text += boundary.destabilizes ? fmt::format(": unstable for larger {}\n", map.first)
                                  : fmt::format(": unstable for smaller {}\n", map.first);
  }
  if (map.is_partial) text += fmt::format("\nThe study ends early: {}\n", map.ended);
  return text;
}

std::string to_csv(const StabilityMap& map) {
  std::string text =
      fmt::format("{},{},stability,certified,least stable real,least stable imaginary\n", map.first, map.second);
  for (const MapRow& row : map.rows) {
    for (std::size_t k = 0; k < row.sweep.points.size(); ++k) {
      const SweepPoint& point = row.sweep.points[k];
      const std::complex<double> s = least_stable(row.sweep, k);
      text += fmt::format("{:.17g},{:.17g},{},{}", point.parameter, row.value, to_words(point.verdict.stability),
                          point.certified ? 1 : 0);
      text += std::isfinite(s.real()) ? fmt::format(",{:.17g},{:.17g}\n", s.real(), s.imag()) : ",,\n";
    }
  }
  return text;
}

std::string to_json(const StabilityMap& map) {
  Json json;
  json["schema"] = "stillpoint.sweep/1";
  json["model"] = map.model;
  Json first = Json::array(), second = Json::array();
  json["points"] = Json::array();
  json["rows"] = Json::array();
  for (const MapRow& row : map.rows) {
    second.push_back(json_number(row.value));
    json["rows"].push_back(
        {{map.second, json_number(row.value)}, {"status", row.sweep.is_partial ? row.sweep.ended : "finished"}});
    for (std::size_t k = 0; k < row.sweep.points.size(); ++k) {
      const SweepPoint& point = row.sweep.points[k];
      if (&row == &map.rows.front()) first.push_back(json_number(point.parameter));
      const std::complex<double> s = least_stable(row.sweep, k);
      json["points"].push_back(
          {{"values", {{map.first, json_number(point.parameter)}, {map.second, json_number(row.value)}}},
           {"verdict", to_words(point.verdict.stability)},
           {"unstable_eigenvalues", point.verdict.unstable_roots},
           {"least_stable", std::isfinite(s.real()) ? complex_json(s) : Json(nullptr)},
           {"certified", point.certified}});
    }
  }
  json["parameters"] = {{map.first, first}, {map.second, second}};
  json["boundaries"] = Json::array();
  for (const MapBoundary& boundary : map.boundaries) json["boundaries"].push_back(boundary_json(map, boundary));
  json["status"] = map.is_partial ? map.ended : "finished";
  return dumped(json);
}

}  // namespace stillpoint
