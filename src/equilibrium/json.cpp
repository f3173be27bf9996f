// An equilibrium as JSON.

#include <algorithm>

#include "equilibrium/rest_json.h"
#include "equilibrium/words.h"
#include "formats/json_number.h"
#include "stillpoint/operating_point.h"

namespace stillpoint {

namespace {

using Json = nlohmann::ordered_json;

Json count(Index value) { return value >= 0 ? Json(value) : Json(nullptr); }

Json rank_json(const RankDecision& rank) {
  return {{"value", rank.value},
          {"gap", json_number(rank.gap)},
          {"decision", word_of(rank.outcome)},
          {"smallest_kept", json_number(rank.smallest_kept)},
          {"largest_dropped", json_number(rank.largest_dropped)},
          {"noise_floor", json_number(rank.noise_floor)},
          {"method", rank.method}};
}

template <class Value>
Json by_coordinate(const Model& model, const JsonOptions& options, const Value& value) {
  Json list = Json::object();
  const Index shown = options.all_coordinates ? model.coordinates() : std::min(model.coordinates(), most_listed);
  for (Index i = 0; i < shown; ++i) list[model.coordinate_name(i)] = json_number(value(i));
  return list;
}

Json tangents_json(const Model& model, const Eigen::MatrixXd& tangents) {
  Json list = Json::array();
  for (Eigen::Index k = 0; k < tangents.cols(); ++k) {
    list.push_back(by_coordinate(model, {}, [&](Index i) { return tangents(i, k); }));
  }
  return list;
}

Json branch_json(const Model& model, const Branch& branch) {
  return {{"name", branch.name},
          {"confirmed", branch.confirmed},
          {"dimension", branch.tangents.cols()},
          {"rank", branch.rank},
          {"unstable_directions", branch.unstable_directions},
          {"neutral_directions", branch.neutral_directions},
          {"tangents", tangents_json(model, branch.tangents)}};
}

Json model_json(const Model& model, const Equilibrium& rest) {
  Json json = {{"name", model.name()}, {"coordinates", model.coordinates()}, {"constraints", model.constraints()}};
  add_configuration(json, rest);
  json["parameters"] = Json::object();
  for (const auto& [name, value] : model.parameters()) json["parameters"][name] = value;
  return json;
}

Json multipliers_json(const Model& model, const State& state, const JsonOptions& options) {
  Json list = Json::object();
  const Index shown = options.all_coordinates ? model.constraints() : std::min(model.constraints(), most_listed);
  for (Index i = 0; i < shown && i < state.lambda.size(); ++i)
    list[model.constraint_name(i)] = json_number(state.lambda[i]);
  return list;
}

Json by_name(const std::vector<std::pair<std::string, double>>& values) {
  Json list = Json::object();
  for (const auto& [name, value] : values) list[name] = json_number(value);
  return list;
}

Json fallbacks_json(const Equilibrium& rest) {
  if (rest.fallbacks.empty()) return nullptr;
  std::string text;
  for (const std::string& fallback : rest.fallbacks) text += (text.empty() ? "" : "; ") + fallback;
  return text;
}

}  // namespace

Json equilibrium_json(const Model& model, const Equilibrium& rest, const JsonOptions& options) {
  Json json;
  json["status"] = word_of(rest.status);
  json["message"] = rest.message;
  json["coordinates"] = by_coordinate(model, options, [&](Index i) { return coordinate_value(model, rest.state, i); });
  json["multipliers"] = multipliers_json(model, rest.state, options);
  json["inputs"] = Json::object();
  for (Index i = 0; i < model.inputs(); ++i) json["inputs"][model.input_name(i)] = rest.state.u[i];
  if (!rest.trim.empty()) json["trim"] = by_name(rest.trim);
  if (!rest.preload.empty()) json["preload"] = by_name(rest.preload);
  json["residual"] = json_number(rest.force_residual);
  json["worst_coordinate"] = rest.worst_coordinate;
  json["constraint_residual"] = json_number(rest.constraint_residual);
  json["worst_constraint"] = rest.worst_constraint;
  json["typical_length"] = rest.typical_length;
  json["conservative"] = rest.conservative;
  json["unstable_directions"] = count(rest.unstable_directions);
  json["neutral_directions"] = count(rest.neutral_directions);
  json["verdict"] = rest.verdict;
  json["verdict_basis"] = rest.verdict_basis;
  json["fallback"] = fallbacks_json(rest);
  json["iterations"] = rest.iterations;
  json["factorisations"] = rest.factorisations;
  json["branches"] = Json::array();
  for (const Branch& branch : rest.branches) json["branches"].push_back(branch_json(model, branch));
  return json;
}

void add_configuration(Json& json, const ConfigurationFindings& findings) {
  json["rank"] = rank_json(findings.rank);
  json["dof"] = findings.dof;
  json["redundant"] = findings.dependent_sets;
  json["redundant_equations"] = findings.redundant_equations;
  json["singular"] = findings.kind == ConfigurationType::singular || findings.kind == ConfigurationType::isolated;
  json["freedom"] = word_of(findings.kind);
  json["free_multipliers"] = findings.free_multipliers;
}

std::string to_json(const Model& model, const Equilibrium& rest, const JsonOptions& options) {
  Json json;
  json["schema"] = "stillpoint.equilibrium/1";
  json["model"] = model_json(model, rest);
  json["equilibrium"] = equilibrium_json(model, rest, options);
  json["warnings"] = rest.warnings;
  json["timing"] = {{"equilibrium", rest.seconds}};
  return json.dump(2) + "\n";
}

std::string to_json(const Model& model, const std::vector<Equilibrium>& found, const JsonOptions& options) {
  Json json;
  json["schema"] = "stillpoint.equilibrium/1";
  json["model"] = found.empty() ? Json{{"name", model.name()}} : model_json(model, found.front());
  json["equilibrium"] = found.empty() ? Json(nullptr) : equilibrium_json(model, found.front(), options);
  json["equilibria"] = Json::array();
  for (const Equilibrium& rest : found) {
    json["equilibria"].push_back(equilibrium_json(model, rest, options));
    if (rest.family > 0) json["equilibria"].back()["family"] = rest.family;
  }
  return json.dump(2) + "\n";
}

std::string to_json(const Model& model, const Trim& trim, const JsonOptions& options) {
  Json json;
  json["schema"] = "stillpoint.trim/1";
  json["model"] = {{"name", model.name()}};
  json["balanced"] = trim.balanced;
  json["message"] = trim.message;
  json["inputs"] = Json::object();
  for (Index i = 0; i < model.inputs(); ++i) json["inputs"][model.input_name(i)] = trim.state.u[i];
  json["leftover"] = json_number(trim.unbalanced);
  json["worst_coordinate"] = trim.worst_coordinate;
  json["choices"] = trim.choices;
  json["coordinates"] = by_coordinate(model, options, [&](Index i) { return coordinate_value(model, trim.state, i); });
  json["multipliers"] = multipliers_json(model, trim.state, options);
  return json.dump(2) + "\n";
}

}  // namespace stillpoint
