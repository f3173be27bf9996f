// Critical points as text and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/at.h"
#include "formats/json_number.h"
#include "report/json_parts.h"
#include "stillpoint/critical.h"

namespace stillpoint {

namespace {

// As many digits as the error bound allows, 4 at least.
std::string parameter_text(double value, double error) {
  const double size = std::abs(value);
  if (size <= error) return "0";
  int digits = 15;
  if (error > 0 && size > 0) digits = std::clamp(static_cast<int>(std::floor(std::log10(size / error))) + 1, 4, 15);
  return fmt::format("{:#.{}g}", value, digits);
}

std::string moving_most(const CriticalPoint& point, const Model& model) {
  constexpr double notable = 0.3;
  std::string text;
  Index shown = 0;
  for (Index i = 0; i < model.coordinates() && shown < 4; ++i) {
    if (i < point.shape.size() && std::abs(point.shape[i]) >= notable) {
      text += (shown++ > 0 ? ", " : "") + model.coordinate_name(i);
    }
  }
  return text;
}

std::string rate_text(const CriticalPoints& found, const CriticalPoint& point, const CriticalRate& rate) {
  if (!rate.refused.empty()) return fmt::format("  no rate with {}: {}\n", rate.parameter, rate.refused);
  std::string text = fmt::format("  d{}/d{} = {:.8g}", found.parameter, rate.parameter, rate.rate + 0.0);
  constexpr double shown = 5e-5;  // half of the last digit: nothing below it has a sign
  const double percent = rate.value * rate.rate / point.parameter;
  if (rate.value != 0 && point.parameter != 0)
    text += fmt::format(": {:+.4f} % with 1 % more", std::abs(percent) < shown ? 0.0 : percent);
  return text + "\n";
}

Json rates_json(const CriticalPoint& point) {
  Json rates = Json::array();
  for (const CriticalRate& rate : point.rates)
    rates.push_back({{"parameter", rate.parameter},
                     {"value", json_number(rate.value)},
                     {"rate", rate.refused.empty() ? json_number(rate.rate) : Json(nullptr)},
                     {"refused", rate.refused.empty() ? Json(nullptr) : Json(rate.refused)}});
  return rates;
}

}  // namespace

std::string to_text(const CriticalPoints& found, const Model& model) {
  std::string text;
  for (const CriticalPoint& point : found.points) {
    text += fmt::format("{} = {} ± {:.1g}{}: {}", found.parameter, parameter_text(point.parameter, point.error),
                        point.error, found.unit.empty() ? "" : " " + found.unit, to_words(point.kind));
    if (point.s.imag() != 0) text += fmt::format(" at {:.8g} Hz", std::abs(point.s.imag()) / (2 * std::numbers::pi));
    else if (point.s != 0.0) text += fmt::format(" at {:.8g} 1/s", point.s.real());
    text += fmt::format("\n  unstable eigenvalues: {} before, {} beyond{}\n", point.unstable_before,
                        point.unstable_after, point.certified ? "" : " (not certified)");
    if (std::isfinite(point.slope.real()))
      text += fmt::format("  d Re s/d{} = {:.6g}\n", found.parameter, point.slope.real());
    else text += "  two eigenvalues meet: beyond it they change like the square root of the distance\n";
    for (const CriticalRate& rate : point.rates) text += rate_text(found, point, rate);
    if (!point.note.empty()) text += fmt::format("  not refined, or not counted beside it: {}\n", point.note);
    const std::string moving = moving_most(point, model);
    if (!moving.empty()) text += fmt::format("  moving most: {}\n", moving);
  }
  if (found.points.empty())
    text += fmt::format("Nothing happens between {} = {:g} and {:g}.\n", found.parameter, found.from, found.to);
  constexpr std::size_t most_intervals = 5;
  for (std::size_t k = 0; k < std::min(found.unexplained.size(), most_intervals); ++k)
    text += fmt::format("Between {0} = {1:.8g} and {2:.8g} it is not certain that nothing else happens.\n",
                        found.parameter, found.unexplained[k].from, found.unexplained[k].to);
  if (found.unexplained.size() > most_intervals)
    text += fmt::format("Nor is it in {} more intervals.\n", found.unexplained.size() - most_intervals);
  if (found.is_partial) text += fmt::format("The search ends early: {}\n", found.ended);
  return text;
}

std::string to_json(const CriticalPoints& found, const Model& model) {
  Json json;
  json["schema"] = "stillpoint.critical/1";
  json["model"] = found.model;
  json["parameter"] = found.parameter;
  json["unit"] = found.unit.empty() ? Json(nullptr) : Json(found.unit);
  json["from"] = json_number(found.from);
  json["to"] = json_number(found.to);
  json["points"] = Json::array();
  for (const CriticalPoint& point : found.points) {
    Json shape = Json::object();
    for (Index i = 0; i < model.coordinates() && i < point.shape.size(); ++i)
      shape[model.coordinate_name(i)] = complex_json(point.shape[i]);
    json["points"].push_back(
        {{"kind", to_words(point.kind)},
         {"parameter", found.parameter},
         {"value", json_number(point.parameter)},
         {"error", json_number(point.error)},
         {"s", complex_json(point.s)},
         {"direction", std::isfinite(point.slope.real()) ? complex_json(point.slope) : Json(nullptr)},
         {"unstable_before", point.unstable_before},
         {"unstable_after", point.unstable_after},
         {"certified", point.certified},
         {"rates", rates_json(point)},
         {"note", point.note.empty() ? Json(nullptr) : Json(point.note)},
         {"mode", shape}});
  }
  json["unexplained"] = Json::array();
  for (const FollowedModes::Interval& interval : found.unexplained)
    json["unexplained"].push_back({json_number(interval.from), json_number(interval.to)});
  json["certified"] =
      found.unexplained.empty() && !found.is_partial &&
      std::all_of(found.points.begin(), found.points.end(), [](const CriticalPoint& point) { return point.certified; });
  json["status"] = found.is_partial ? found.ended : "finished";
  return dumped(json);
}

std::string to_text(const TargetPoints& found) {
  const CriticalPoints& search = found.search;
  std::string text;
  for (const TargetPoint& point : found.points) {
    text += fmt::format("{} = {} ± {:.1g}{}: mode {} at {:.8g} Hz with a damping ratio of {:.6g}\n", search.parameter,
                        parameter_text(point.parameter, point.error), point.error,
                        search.unit.empty() ? "" : " " + search.unit, point.mode,
                        std::abs(point.s.imag()) / (2 * std::numbers::pi), -point.s.real() / std::abs(point.s) + 0.0);
  }
  if (found.points.empty())
    text +=
        fmt::format("No mode has this value between {} = {:g} and {:g}.\n", search.parameter, search.from, search.to);
  if (search.is_partial) text += fmt::format("The search ends early: {}\n", search.ended);
  return text;
}

std::string to_json(const TargetPoints& found) {
  Json json;
  json["schema"] = "stillpoint.target/1";
  json["model"] = found.search.model;
  json["parameter"] = found.search.parameter;
  json["points"] = Json::array();
  for (const TargetPoint& point : found.points) {
    json["points"].push_back({{"parameter", found.search.parameter},
                              {"value", json_number(point.parameter)},
                              {"error", json_number(point.error)},
                              {"mode", point.mode},
                              {"s", complex_json(point.s)},
                              {"direction", complex_json(point.slope)}});
  }
  json["status"] = found.search.is_partial ? found.search.ended : "finished";
  return dumped(json);
}

}  // namespace stillpoint
