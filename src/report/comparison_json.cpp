// The three methods as one JSON object, schema stillpoint.compare/1.

#include "formats/json_number.h"
#include "report/json_parts.h"
#include "report/mode_table.h"

namespace stillpoint {

namespace {

Json matrix_json(const MatrixSparsity& A) {
  Json json;
  json["matrix"] = A.name;
  json["n"] = A.size;
  json["nnz"] = A.entries;
  json["density"] = json_number(A.density());
  json["order"] = A.best_order();
  json["factor_nnz"] = A.best().is_known() ? Json(A.best().entries) : Json(nullptr);
  json["factor_flops"] = json_number(A.best().flops);
  json["fill"] = json_number(A.fill());
  json["predicted"] = A.predicted;
  return json;
}

Json fill_json(const std::optional<SparsityReport>& sparsity, Method method) {
  if (!sparsity) return nullptr;
  const MatrixSparsity& mass = method == Method::mcs   ? sparsity->M_r
                               : method == Method::rcs ? sparsity->M_q
                                                       : sparsity->M_p;
  const MatrixSparsity& factored = method == Method::mcs   ? sparsity->mcs
                                   : method == Method::rcs ? sparsity->rcs
                                                           : sparsity->ucs;
  return {{"mass", matrix_json(mass)}, {"factorised", matrix_json(factored)}};
}

Json method_json(const AnalysisCase& analysis, const Comparison& comparison, const MethodReport& report,
                 const PrintOptions& options) {
  const Spectrum& spectrum = report.spectrum;
  Json json;
  json["computed"] = report.computed;
  json["message"] = report.why_not;
  json["modes"] = modes_json(analysis, spectrum.modes, report.accounts, options);
  json["size"] = spectrum.size;
  json["spurious"] = spectrum.spurious;
  json["count"] = count_json(spectrum);
  json["fill"] = fill_json(comparison.sparsity, report.method);
  json["time"] = {{"form", json_number(report.form_seconds)}, {"modes", json_number(spectrum.seconds)}};
  if (report.penalty) json["time"]["penalty_equilibrium"] = json_number(report.penalty->equilibrium_seconds);
  json["solver"] = spectrum.solver;
  json["shares_computation_with"] = report.shares_with ? Json(key_of(*report.shares_with)) : Json(nullptr);
  json["penalty"] = penalty_json(report);
  return json;
}

Json details_json(const Differences& differences) {
  return {{"largest", json_number(differences.largest)},
          {"within_error_bars", differences.within_error_bounds},
          {"each", json_numbers(differences.each)},
          {"largest_corrected", json_number(differences.largest_corrected)},
          {"each_corrected", json_numbers(differences.corrected)}};
}

}  // namespace

std::string to_json(const AnalysisCase& analysis, const Comparison& comparison, const PrintOptions& options) {
  Json json;
  json["schema"] = "stillpoint.compare/1";
  json["model"] = model_json(analysis);
  json["equilibrium"] = equilibrium_json(analysis, options);
  json["methods"] = Json::object();
  json["differences"] = Json::object();
  json["difference_details"] = Json::object();
  for (std::size_t k = 0; k < comparison.methods.size(); ++k) {
    const MethodReport& method = comparison.methods[k];
    const std::string key = key_of(method.method);
    json["methods"][key] = method_json(analysis, comparison, method, options);
    if (k == 0) continue;
    const std::optional<Differences>& differences = comparison.differences[k];
    json["differences"][key] = differences ? json_number(differences->largest) : Json(nullptr);
    json["difference_details"][key] = differences ? details_json(*differences) : Json(nullptr);
  }
  add_verdict(json, comparison.verdict);
  json["branches"] = branches_json(analysis, comparison.branches, options);
  json["advice"] = comparison.sparsity ? Json(comparison.sparsity->advice) : Json(nullptr);
  json["warnings"] = analysis.rest ? Json(analysis.rest->warnings) : Json::array();
  for (const std::string& warning : comparison.warnings) json["warnings"].push_back(warning);
  json["timing"] = {{"read", json_number(analysis.read_seconds)},
                    {"equilibrium", analysis.rest ? json_number(analysis.rest->seconds) : Json(nullptr)},
                    {"linearize", json_number(analysis.linearize_seconds)}};
  return dumped(json);
}

}  // namespace stillpoint
