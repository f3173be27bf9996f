// A parameter study as a table, as CSV and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/at.h"
#include "formats/json_number.h"
#include "report/digits.h"
#include "report/json_parts.h"
#include "stillpoint/sweep.h"

namespace stillpoint {

namespace {

constexpr int parameter_column = 14, branch_column = 26;
constexpr Eigen::Index most_columns = 4;

double frequency_of(std::complex<double> s) { return std::abs(s.imag()) / (2 * std::numbers::pi); }
double damping_ratio_of(std::complex<double> s) { return s == 0.0 ? 0 : -s.real() / std::abs(s) + 0.0; }

bool is_known(std::complex<double> s) { return std::isfinite(s.real()); }

std::string branch_text(std::complex<double> s) {
  constexpr double digits = 1e-7;
  return is_known(s) ? eigenvalue_in_line(s, digits * std::abs(s), s.imag() != 0) : "-";
}

std::string event_text(const Sweep& sweep, const SweepEvent& event) {
  std::string text = fmt::format("  {} = {:.10g}: {}", sweep.parameter, event.parameter, to_words(event.kind));
  if (event.kind == SweepEvent::Kind::zeros_change)
    return text + fmt::format(", somewhere within ± {:.2g}\n", event.error);
  const double imag = std::abs(event.s.imag());
  if (imag > 1e-6 * std::abs(event.s)) text += fmt::format(" at {:.6g} Hz", imag / (2 * std::numbers::pi));
  else if (event.s != 0.0 && event.kind != SweepEvent::Kind::divergence)
    text += fmt::format(" at {:.6g} 1/s", event.s.real());
  if (event.kind == SweepEvent::Kind::veering) text += fmt::format(", gap {:.3g} rad/s", event.gap);
  std::string names;
  for (const Index branch : event.branches) {
    if (branch >= 0) names += fmt::format("{}{}", names.empty() ? "" : " and ", branch + 1);
  }
  if (!names.empty()) text += fmt::format(", mode{} {}", names.find(' ') == std::string::npos ? "" : "s", names);
  if (event.destabilizes) text += ": unstable beyond it";
  else if (changes_stability(event)) text += ": an instability ends there";
  return text + "\n";
}

/// Numbers of tracks begin with 1; those that are not listed are left out.
Json tracks_json(const std::vector<Index>& branches) {
  Json list = Json::array();
  for (const Index branch : branches) {
    if (branch >= 0) list.push_back(branch + 1);
  }
  return list;
}

Json event_json(const SweepEvent& event) {
  return {{"kind", to_words(event.kind)},          {"at", json_number(event.parameter)},
          {"error", json_number(event.error)},     {"s", complex_json(event.s)},
          {"tracks", tracks_json(event.branches)}, {"gap", json_number(event.gap)},
          {"destabilizes", event.destabilizes}};
}

/// Whether it is certain how the modes went on to this point from the one before.
bool is_certain(const Sweep& sweep, std::size_t k) {
  if (k == 0) return true;
  return std::none_of(sweep.uncertain.begin(), sweep.uncertain.end(), [&](const FollowedModes::Interval& interval) {
    return interval.from < sweep.points[k].parameter && interval.to > sweep.points[k - 1].parameter;
  });
}

Json point_json(const Sweep& sweep, const SweepPoint& point, const Model& model) {
  Json coordinates = Json::object();
  for (Index i = 0; i < static_cast<Index>(point.q.size()); ++i)
    coordinates[model.coordinate_name(i)] = json_number(point.q[i] + 0.0);
  return {{"values", {{sweep.parameter, json_number(point.parameter)}}},
          {"equilibrium", coordinates},
          {"verdict", to_words(point.verdict.stability)},
          {"reason", point.verdict.reason},
          {"unstable_eigenvalues", point.verdict.unstable_roots},
          {"structural_zeros", point.structural_zeros},
          {"certified", point.certified}};
}

}  // namespace

std::string to_text(const Sweep& sweep) {
  const Eigen::Index shown = std::min(sweep.s.rows(), most_columns);
  std::string text = left(sweep.parameter + (sweep.unit.empty() ? "" : " (" + sweep.unit + ")"), parameter_column);
  for (Eigen::Index b = 0; b < shown; ++b) text += "  " + left(fmt::format("mode {} (rad/s)", b + 1), branch_column);
  text += "  stability\n";
  for (std::size_t k = 0; k < sweep.points.size(); ++k) {
    text += left(fmt::format("{:.8g}", sweep.points[k].parameter), parameter_column);
    for (Eigen::Index b = 0; b < shown; ++b)
      text += "  " + left(branch_text(sweep.s(b, static_cast<Eigen::Index>(k))), branch_column);
    text += "  " + in_words(sweep.points[k].verdict) + (sweep.points[k].certified ? "\n" : ", not certified\n");
  }
  if (sweep.s.rows() > shown) text += fmt::format("{} more modes: -o FILE.csv lists them\n", sweep.s.rows() - shown);
  text += sweep.events.empty() ? "\nNothing happens in between.\n" : "\nEvents\n";
  for (const SweepEvent& event : sweep.events) text += event_text(sweep, event);
  constexpr std::size_t most_intervals = 5;
  for (std::size_t k = 0; k < std::min(sweep.uncertain.size(), most_intervals); ++k)
    text += fmt::format("  {} = {:.10g} to {:.10g}: it is not certain which mode goes on as which\n", sweep.parameter,
                        sweep.uncertain[k].from, sweep.uncertain[k].to);
  if (sweep.uncertain.size() > most_intervals)
    text += fmt::format("  and {} more such intervals\n", sweep.uncertain.size() - most_intervals);
  if (sweep.is_partial) text += fmt::format("\nThe study ends early: {}\n", sweep.ended);
  return text;
}

std::string to_csv(const Sweep& sweep) {
  std::string text = sweep.parameter + ",stability,certified";
  for (Eigen::Index b = 1; b <= sweep.s.rows(); ++b)
    text += fmt::format(",mode {0} real,mode {0} imaginary,mode {0} frequency (Hz),mode {0} damping ratio", b);
  text += "\n";
  for (std::size_t k = 0; k < sweep.points.size(); ++k) {
    const SweepPoint& point = sweep.points[k];
    text += fmt::format("{:.17g},{},{}", point.parameter, to_words(point.verdict.stability), point.certified ? 1 : 0);
    for (Eigen::Index b = 0; b < sweep.s.rows(); ++b) {
      const std::complex<double> s = sweep.s(b, static_cast<Eigen::Index>(k));
      text += is_known(s) ? fmt::format(",{:.17g},{:.17g},{:.17g},{:.17g}", s.real(), s.imag(), frequency_of(s),
                                        damping_ratio_of(s))
                          : ",,,,";
    }
    text += "\n";
  }
  return text;
}

std::string to_json(const Sweep& sweep, const Model& model) {
  Json json;
  json["schema"] = "stillpoint.sweep/1";
  json["model"] = sweep.model;
  Json values = Json::array(), certain = Json::array();
  json["points"] = Json::array();
  for (std::size_t k = 0; k < sweep.points.size(); ++k) {
    values.push_back(json_number(sweep.points[k].parameter));
    certain.push_back(is_certain(sweep, k));
    json["points"].push_back(point_json(sweep, sweep.points[k], model));
  }
  json["parameters"] = {{sweep.parameter, values}};
  json["unit"] = sweep.unit.empty() ? Json(nullptr) : Json(sweep.unit);
  json["tracks"] = Json::array();
  for (Eigen::Index b = 0; b < sweep.s.rows(); ++b) {
    Json s = Json::array();
    for (const std::complex<double> value : sweep.s.row(b))
      s.push_back(is_known(value) ? complex_json(value) : Json(nullptr));
    json["tracks"].push_back({{"id", b + 1}, {"s", s}, {"certain", certain}});
  }
  json["events"] = Json::array();
  for (const SweepEvent& event : sweep.events) json["events"].push_back(event_json(event));
  json["uncertain"] = Json::array();
  for (const FollowedModes::Interval& interval : sweep.uncertain)
    json["uncertain"].push_back({json_number(interval.from), json_number(interval.to)});
  json["solves"] = sweep.solves;
  json["status"] = sweep.is_partial ? sweep.ended : "finished";
  return dumped(json);
}

}  // namespace stillpoint
