#include "report/json_parts.h"

#include <algorithm>

#include "base/at.h"
#include "equilibrium/rest_json.h"
#include "formats/json_number.h"
#include "report/mode_table.h"
#include "report/participation.h"

namespace stillpoint {

namespace {

/// Classifies the configuration from the matrices alone.
ConfigurationFindings configuration_of(const LinearSystem& system) {
  ConfigurationFindings findings;
  findings.rank = system.rows.rank;
  findings.dof = system.dof();
  const bool is_deficient = system.rank() < system.constraints();
  findings.kind = system.singular                                      ? ConfigurationType::singular
                  : system.rows.rank.outcome == RankOutcome::undecided ? ConfigurationType::undecided
                  : is_deficient                                       ? ConfigurationType::redundant
                                                                       : ConfigurationType::regular;
  findings.redundant_equations = system.singular ? 0 : system.constraints() - system.rank();
  findings.free_multipliers = system.singular ? system.constraints() - system.rank() : 0;
  if (system.singular) return findings;
  const SparseMatrix& nu = system.rows.null_vectors;
  for (Index k = 0; k < nu.outerSize(); ++k) {
    std::vector<std::string> set;
    for (SparseMatrix::InnerIterator entry(nu, k); entry; ++entry) {
      set.push_back(system.constraint_name(static_cast<Index>(entry.row())));
    }
    findings.dependent_sets.push_back(std::move(set));
  }
  return findings;
}

template <class Value>
Json by_coordinate(const LinearSystem& system, const PrintOptions& options, const Value& value) {
  Json list = Json::object();
  const Index n = system.coordinates();
  const Index shown = options.all_coordinates ? n : std::min(n, most_listed);
  for (Index i = 0; i < shown; ++i) list[system.coordinate_name(i)] = value(i);
  return list;
}

Json eigenvalue_json(const Mode& mode) {
  return mode.is_infinite() ? Json::array({nullptr, nullptr}) : complex_json(mode.s);
}

Json shares_json(const std::vector<EnergyShares::Share>& shares) {
  Json list = Json::object();
  for (const EnergyShares::Share& each : shares) list[each.name] = json_number(each.share);
  return list;
}

void add_shape(Json& json, const AnalysisCase& analysis, const Mode& mode, const ModeAccount& account,
               const PrintOptions& options) {
  json["energy"] = shares_json(account.energy.potential);
  json["kinetic_energy"] = shares_json(account.energy.kinetic);
  const LinearSystem& system = analysis.system;
  if (mode.shape.size() != system.coordinates()) {
    json["participation"] = Json::object();
    json["shape"] = nullptr;
    return;
  }
  const Eigen::VectorXd shares = participation(system, mode.shape);
  json["participation"] = by_coordinate(system, options, [&](Index i) { return json_number(shares[i]); });
  json["shape"] = by_coordinate(system, options, [&](Index i) { return complex_json(mode.shape[i]); });
}

Json mode_json(const AnalysisCase& analysis, const Mode& mode, const ModeAccount& account,
               const PrintOptions& options) {
  Json json;
  json["s"] = eigenvalue_json(mode);
  json["frequency_hz"] = mode.is_infinite() ? Json(nullptr) : json_number(frequency(mode));
  json["damping_ratio"] = mode.is_infinite() ? Json(nullptr) : json_number(damping_ratio(mode));
  json["class"] = word_of(mode.kind);
  json["residual"] = json_number(mode.residual);
  json["backward_error"] = json_number(mode.backward_error);
  json["condition"] = json_number(mode.condition);
  json["error"] = json_number(mode.error);
  json["constraint_violation"] = json_number(mode.violation);
  json["multiplicity"] = mode.multiplicity;
  if (!std::isnan(mode.penalty_error)) {
    json["corrected"] = complex_json(mode.corrected);
    json["corrected_error"] = json_number(mode.corrected_error);
    json["penalty_error"] = json_number(mode.penalty_error);
  }
  json["description"] = account.description;
  if (analysis.system.singular) json["depends_on_constraint_scaling"] = mode.depends_on_constraint_scaling;
  if (options.shapes) add_shape(json, analysis, mode, account, options);
  return json;
}

Json tangent_json(const AnalysisCase& analysis, const BranchReport& branch, Eigen::Index column,
                  const PrintOptions& options) {
  return by_coordinate(analysis.system, options, [&](Index i) { return json_number(branch.tangents(i, column)); });
}

}  // namespace

Json complex_json(std::complex<double> z) { return Json::array({json_number(z.real()), json_number(z.imag())}); }

Json model_json(const AnalysisCase& analysis) {
  const LinearSystem& system = analysis.system;
  const Index coordinates = system.coordinates() - states_of_controllers(analysis);
  Json json = {{"name", system.name}, {"coordinates", coordinates}, {"constraints", system.constraints()}};
  if (analysis.rest) add_configuration(json, *analysis.rest);
  else add_configuration(json, configuration_of(system));
  for (const Controller& one : analysis.controllers)
    json["controllers"].push_back(
        {{"name", one.name}, {"from", one.from}, {"to", one.to}, {"states", one.state_names}});
  json["parameters"] = Json::object();
  if (!analysis.model) return json;
  for (const auto& [name, value] : analysis.model->parameters()) json["parameters"][name] = value;
  return json;
}

Json equilibrium_json(const AnalysisCase& analysis, const PrintOptions& options) {
  if (!analysis.model) return nullptr;
  return equilibrium_json(*analysis.model, *analysis.rest, {options.all_coordinates});
}

Json modes_json(const AnalysisCase& analysis, const std::vector<Mode>& modes, const std::vector<ModeAccount>& accounts,
                const PrintOptions& options) {
  Json list = Json::array();
  for (std::size_t k = 0; k < modes.size(); ++k) {
    list.push_back(mode_json(analysis, modes[k], k < accounts.size() ? accounts[k] : ModeAccount(), options));
  }
  return list;
}

Json count_json(const Spectrum& spectrum) {
  const auto listed = std::count_if(spectrum.modes.begin(), spectrum.modes.end(), [](const Mode& mode) {
    return mode.kind != ModeClass::spurious && !mode.is_infinite();
  });
  const std::string scope = !spectrum.region.empty()                             ? spectrum.region
                            : listed >= spectrum.found || !spectrum.kept.empty() ? "all finite"
                                                                                 : "the lowest";
  Json count = {{"expected", spectrum.expected},         {"found", spectrum.found},
                {"certified", spectrum.certified},       {"scope", scope},
                {"spurious", spectrum.spurious},         {"at_zero", spectrum.at_zero},
                {"margin", json_number(spectrum.margin)}};
  if (!spectrum.kept.empty()) count["kept"] = spectrum.kept;
  if (!spectrum.reasons.empty()) {
    count["not_certified_because"] = Json::array();
    for (const Uncertified reason : spectrum.reasons) count["not_certified_because"].push_back(to_words(reason));
  }
  return count;
}

Json plan_json(const FoundModes& found) {
  if (!found.computed) return nullptr;
  return {{"structure", to_words(found.structure)},
          {"engine", to_words(found.planned.engine)},
          {"why", found.planned.why},
          {"none_missing_because", found.planned.proof}};
}

Json penalty_json(const MethodReport& method) {
  if (!method.penalty) return nullptr;
  const MethodReport::Penalty& penalty = *method.penalty;
  return {{"alpha", Json::array({json_number(penalty.smallest_alpha), json_number(penalty.largest_alpha)})},
          {"xi", json_number(penalty.xi)},
          {"omega", json_number(penalty.omega)},
          {"own_equilibrium", !std::isnan(penalty.largest_residual)},
          {"largest_gap", json_number(penalty.largest_residual)}};
}

Json branches_json(const AnalysisCase& analysis, const std::vector<BranchReport>& branches,
                   const PrintOptions& options) {
  Json list = Json::array();
  for (const BranchReport& branch : branches) {
    Json json;
    json["name"] = branch.name;
    json["tangent"] = branch.tangents.cols() > 0 ? tangent_json(analysis, branch, 0, options) : Json(Json::object());
    json["tangents"] = Json::array();
    for (Eigen::Index k = 0; k < branch.tangents.cols(); ++k) {
      json["tangents"].push_back(tangent_json(analysis, branch, k, options));
    }
    json["modes"] = modes_json(analysis, branch.spectrum.modes, branch.accounts, options);
    json["count"] = count_json(branch.spectrum);
    add_verdict(json, branch.verdict);
    list.push_back(std::move(json));
  }
  return list;
}

void add_verdict(Json& json, const Verdict& verdict) {
  json["verdict"] = to_words(verdict.stability);
  json["verdict_basis"] = verdict.basis;
  json["verdict_reason"] = verdict.reason;
  json["unstable_roots"] = verdict.unstable_roots;
  json["largest_real_part"] = json_number(verdict.largest_real);
}

std::string dumped(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace stillpoint
