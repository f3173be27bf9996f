// The modes as one JSON object, schema stillpoint.modes/1.

#include "formats/json_number.h"
#include "report/json_parts.h"
#include "report/mode_table.h"

namespace stillpoint {

namespace {

Json warnings_json(const AnalysisCase& analysis, const std::vector<std::string>& own) {
  Json list = analysis.rest ? Json(analysis.rest->warnings) : Json::array();
  for (const std::string& warning : own) list.push_back(warning);
  return list;
}

Json timing_json(const AnalysisCase& analysis, const ModesReport& report) {
  Json json;
  json["read"] = json_number(analysis.read_seconds);
  json["equilibrium"] = analysis.rest ? json_number(analysis.rest->seconds) : Json(nullptr);
  json["linearize"] = json_number(analysis.linearize_seconds);
  if (report.result.penalty) json["penalty_equilibrium"] = json_number(report.result.penalty->equilibrium_seconds);
  json["form"] = json_number(report.result.form_seconds);
  json["modes"] = json_number(report.result.spectrum.seconds);
  json["certificate"] = json_number(report.result.spectrum.certificate_seconds);
  json["verdict"] = json_number(report.verdict_seconds);
  json["branches"] = json_number(report.branch_seconds);
  return json;
}

}  // namespace

std::string to_json(const AnalysisCase& analysis, const ModesReport& report, const PrintOptions& options) {
  const MethodReport& result = report.result;
  Json json;
  json["schema"] = "stillpoint.modes/1";
  json["model"] = model_json(analysis);
  json["equilibrium"] = equilibrium_json(analysis, options);
  json["method"] = key_of(result.method);
  json["solver"] = result.spectrum.solver;
  json["plan"] = plan_json(result);
  json["size"] = result.spectrum.size;
  json["penalty"] = penalty_json(result);
  json["message"] = result.why_not;
  json["modes"] = modes_json(analysis, result.spectrum.modes, result.accounts, options);
  json["count"] = count_json(result.spectrum);
  add_verdict(json, report.verdict);
  json["branches"] = branches_json(analysis, report.branches, options);
  json["warnings"] = warnings_json(analysis, report.warnings);
  json["timing"] = timing_json(analysis, report);
  return dumped(json);
}

}  // namespace stillpoint
