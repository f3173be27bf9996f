// Controllability and observability as JSON, schema stillpoint.controllability/1.
#include "formats/json_number.h"
#include "report/channel_words.h"
#include "report/json_parts.h"
#include "stillpoint/controllability.h"

namespace stillpoint {

namespace {

template <class Vector, class ToJson>
Json by_name(const Vector& values, const NameOf& name, const ToJson& to_json_value) {
  Json json = Json::object();
  for (Eigen::Index i = 0; i < values.size(); ++i) json[name(static_cast<Index>(i))] = to_json_value(values[i]);
  return json;
}

Json steps_json(const std::vector<StaircaseStep>& steps) {
  Json list = Json::array();
  for (const StaircaseStep& step : steps) {
    const Json values = json_numbers(step.values);
    list.push_back({{"rows", step.rows},
                    {"columns", step.columns},
                    {"rank", step.rank},
                    {"singular_values", values},
                    {"noise", json_number(step.noise)}});
  }
  return list;
}

const char* decision_of(const HautusTest& test, Index multiplicity) {
  if (test.undecided) return "undecided";
  if (test.hidden == multiplicity) return "none";
  if (test.hidden > 0) return "some";
  return test.is_barely() ? "barely" : "all";
}

Json test_json(const HautusTest& test, Index multiplicity) {
  return {{"decision", decision_of(test, multiplicity)},
          {"hidden", test.hidden},
          {"distance", json_number(test.distance)},
          {"dropped", json_number(test.dropped)},
          {"noise", json_number(test.noise)},
          {"steps", steps_json(test.steps)}};
}

Json reach_json(const ModeReach& mode, const LinearSystem& system) {
  const auto number = [](double value) { return Json(json_number(value)); };
  Json json{{"s", complex_json(mode.s)},
            {"error", json_number(mode.error)},
            {"multiplicity", mode.multiplicity},
            {"moves", leading_coordinate(mode.shape, system)}};
  json["input_participation"] = by_name(mode.inputs, system.input_name, number);
  json["output_participation"] = by_name(mode.outputs, system.output_name, number);
  json["input_gains"] = by_name(mode.input_gains, system.input_name, complex_json);
  json["output_gains"] = by_name(mode.output_gains, system.output_name, complex_json);
  json["moved"] = test_json(mode.moved, mode.multiplicity);
  json["shown"] = test_json(mode.shown, mode.multiplicity);
  json["energy_to_move"] = json_number(mode.energy_to_move);
  json["energy_shown"] = json_number(mode.energy_shown);
  return json;
}

}  // namespace

std::string to_json(const Controllability& found, const LinearSystem& system) {
  Json json{{"schema", "stillpoint.controllability/1"},
            {"model", {{"name", system.name}}},
            {"inputs", names_of_channels(system.inputs(), system.input_name)},
            {"outputs", names_of_channels(system.outputs(), system.output_name)},
            {"solver", found.solver},
            {"all_modes", found.all_modes},
            {"count", found.count},
            {"unmoved", found.unmoved},
            {"unshown", found.unshown},
            {"barely_moved", found.barely_moved},
            {"barely_shown", found.barely_shown},
            {"undecided", found.undecided}};
  json["modes"] = Json::array();
  for (const ModeReach& mode : found.modes) json["modes"].push_back(reach_json(mode, system));
  json["hankel"] = json_numbers(found.hankel);
  json["no_gramians"] = found.no_gramians;
  json["warnings"] = found.warnings;
  return dumped(json);
}

}  // namespace stillpoint
