// The sparsity report as one JSON object, schema stillpoint.sparsity/1.

#include <fmt/format.h>

#include "formats/json_number.h"
#include "report/json_parts.h"
#include "stillpoint/sparsity.h"

namespace stillpoint {

namespace {

Json factor_json(const FactorCount& factor) {
  if (!factor.is_known()) return nullptr;
  return {{"nnz", factor.entries},
          {"flops", factor.flops},
          {"bytes", factor.bytes()},
          {"seconds", json_number(factor.seconds)}};
}

/// Returns both forms of a Cholesky factor.
Json cholesky_json(const FactorCount& factor) {
  Json json = factor_json(factor);
  if (json.is_null()) return json;
  const FactorCount::Supernodal& supernodal = factor.supernodal;
  json["supernodal"] = supernodal.entries > 0
                           ? Json{{"nnz", supernodal.entries}, {"seconds", json_number(supernodal.seconds)}}
                           : nullptr;
  return json;
}

Json matrix_json(const MatrixSparsity& matrix) {
  Json json;
  json["formula"] = matrix.formula;
  json["n"] = matrix.size;
  json["nnz"] = matrix.entries;
  json["density"] = json_number(matrix.density());
  json["predicted"] = matrix.predicted;
  json["factor"] = {{"natural", cholesky_json(matrix.natural)},
                    {"amd", cholesky_json(matrix.amd)},
                    {"metis", cholesky_json(matrix.metis)}};
  json["order"] = matrix.best().is_known() ? Json(matrix.best_order()) : Json(nullptr);
  json["fill"] = json_number(matrix.fill());
  json["ldlt"] = factor_json(matrix.ldlt);
  if (matrix.lu.is_known()) json["lu"] = factor_json(matrix.lu);
  if (matrix.regular) json["regular"] = *matrix.regular;
  json["note"] = matrix.note.empty() ? Json(nullptr) : Json(matrix.note);
  return json;
}

Json factored_json(const MatrixSparsity& matrix, Index order) {
  Json json = matrix_json(matrix);
  json["eigenproblem_order"] = order;
  return json;
}

}  // namespace

std::string to_json(const SparsityReport& report) {
  Json json;
  json["schema"] = "stillpoint.sparsity/1";
  json["model"] = {{"name", report.name},
                   {"coordinates", report.coordinates},
                   {"constraints", report.constraints},
                   {"rank", {{"value", report.rank}}},
                   {"dof", report.dof},
                   {"singular", report.singular},
                   {"damped", report.damped}};
  json["cholesky"] = report.cholesky.empty() ? Json(nullptr) : Json(report.cholesky);
  Json& matrices = json["matrices"];
  for (const MatrixSparsity* matrix : {&report.M_r, &report.M_q, &report.M_p}) {
    matrices[matrix->name] = matrix_json(*matrix);
  }
  matrices["factorised"] = {{"mcs", factored_json(report.mcs, report.mcs_order())},
                            {"rcs", factored_json(report.rcs, report.rcs_order())},
                            {"ucs", factored_json(report.ucs, report.ucs_order())}};
  json["R_nnz"] = report.R_entries;
  json["summary"] = Json::array();
  for (const SparsityReport::Property& row : report.properties) {
    json["summary"].push_back({{"feature", row.feature}, {"mcs", row.mcs}, {"rcs", row.rcs}, {"ucs", row.ucs}});
  }
  json["suits"] = report.suits.empty() ? Json(nullptr) : Json(report.suits);
  json["advice"] = fmt::format("{}", fmt::join(report.advice, " "));
  json["timing"] = {{"sparsity", report.seconds}};
  return dumped(json);
}

}  // namespace stillpoint
