#include <nlohmann/json.hpp>

#include "base/at.h"
#include "formats/json_number.h"
#include "report/json_parts.h"
#include "stillpoint/sensitivity.h"

namespace stillpoint {

namespace {

Json rate_json(const Mode& mode, const ModeRate& rate) {
  Json json;
  const bool is_known = rate.kind != ModeRate::Kind::defective;
  json["kind"] = rate.kind == ModeRate::Kind::single     ? "single"
                 : rate.kind == ModeRate::Kind::multiple ? "multiple"
                                                         : "square root";
  json["s"] = is_known ? complex_json(rate.s) : Json(nullptr);
  json["error"] = is_known ? json_number(rate.error) : Json(nullptr);
  json["at_fixed_equilibrium"] = is_known ? complex_json(rate.frozen) : Json(nullptr);
  json["frequency_hz"] = is_known ? json_number(frequency_rate(mode, rate.s)) : Json(nullptr);
  json["damping_ratio"] = is_known ? json_number(damping_ratio_rate(mode, rate.s)) : Json(nullptr);
  json["copies"] = rate.copies;
  return json;
}

/// The same as one row of a table of modes and parameters.
Json row_json(std::size_t number, const std::string& parameter, const Mode& mode, const ModeRate& rate) {
  const Json all = rate_json(mode, rate);
  return {{"mode", number},
          {"parameter", parameter},
          {"ds", all["s"]},
          {"dfrequency_hz", all["frequency_hz"]},
          {"ddamping_ratio", all["damping_ratio"]},
          {"error", all["error"]}};
}

Json shift_json(const SystemRates& rates, const Model& model) {
  Json coordinates = Json::object(), multipliers = Json::object();
  for (Index i = 0; i < model.coordinates(); ++i) coordinates[model.coordinate_name(i)] = json_number(rates.q[i]);
  for (Index i = 0; i < model.constraints(); ++i) multipliers[model.constraint_name(i)] = json_number(rates.lambda[i]);
  return {{"coordinates", coordinates}, {"multipliers", multipliers}, {"relative_error", json_number(rates.q_error)}};
}

}  // namespace

std::string to_json(const Sensitivity& sensitivity, const Model& model) {
  Json json;
  json["schema"] = "stillpoint.sensitivity/1";
  json["model"] = model.name();
  json["parameters"] = Json::array();
  for (const ParameterSensitivity& one : sensitivity.parameters) {
    json["parameters"].push_back({{"name", one.parameter.name},
                                  {"value", json_number(one.parameter.value)},
                                  {"unit", one.parameter.unit.empty() ? Json(nullptr) : Json(one.parameter.unit)},
                                  {"occurs", one.refused.empty() ? Json(one.rates.occurs()) : Json(nullptr)},
                                  {"refused", one.refused.empty() ? Json(nullptr) : Json(one.refused)}});
  }
  json["modes"] = Json::array();
  for (std::size_t i = 0; i < sensitivity.modes.size(); ++i) {
    const Mode& mode = sensitivity.modes[i];
    Json of_parameters = Json::object();
    for (const ParameterSensitivity& one : sensitivity.parameters) {
      if (one.refused.empty()) of_parameters[one.parameter.name] = rate_json(mode, one.modes[i]);
    }
    json["modes"].push_back({{"mode", sensitivity.first_mode + i + 1},
                             {"s", complex_json(mode.s)},
                             {"error", json_number(mode.error)},
                             {"frequency_hz", json_number(frequency(mode))},
                             {"damping_ratio", json_number(damping_ratio(mode) + 0.0)},
                             {"rates", of_parameters}});
  }
  json["rows"] = Json::array();
  for (std::size_t i = 0; i < sensitivity.modes.size(); ++i) {
    for (const ParameterSensitivity& one : sensitivity.parameters) {
      if (one.refused.empty())
        json["rows"].push_back(
            row_json(sensitivity.first_mode + i + 1, one.parameter.name, sensitivity.modes[i], one.modes[i]));
    }
  }
  json["equilibrium"] = Json::object();
  for (const ParameterSensitivity& one : sensitivity.parameters) {
    if (one.refused.empty()) json["equilibrium"][one.parameter.name] = shift_json(one.rates, model);
  }
  return dumped(json);
}

}  // namespace stillpoint
