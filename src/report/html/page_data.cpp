#include "report/html/page_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/at.h"
#include "equilibrium/rest_json.h"
#include "formats/gzip.h"
#include "formats/json_number.h"
#include "report/html/page_scene.h"
#include "report/mode_table.h"
#include "scene/frames.h"
#include "sparsity/spy_pictures.h"
#include "stillpoint/assembly.h"
#include "stillpoint/version.h"

namespace stillpoint {

namespace {

constexpr std::size_t most_shares = 12;         // of the energy of a mode: as many can be told apart
constexpr std::size_t most_listed_modes = 400;  // in the table
constexpr std::size_t most_roots = 100;         // of each class of another method, in the complex plane
constexpr Eigen::Index most_curves = 12;        // of the frequency response
constexpr Index most_parameters = 500;

Json shares_json(const std::vector<EnergyShares::Share>& shares) {
  Json list = Json::object();
  for (std::size_t k = 0; k < std::min(shares.size(), most_shares); ++k)
    list[shares[k].name] = json_number(std::round(shares[k].share * 1e6) / 1e6);
  return list;
}

Json eigenvalue_json(const Mode& mode) {
  return mode.is_infinite() ? Json::array({nullptr, nullptr}) : complex_json(mode.s);
}

/// A sentence for an eigenvalue that is none of the mechanism.
std::string why_of(const Mode& mode, Method method) {
  if (mode.kind == ModeClass::genuine) return "";
  if (mode.kind == ModeClass::undecided) return "the numbers do not decide whether it is one of the mechanism";
  if (method == Method::rcs) return "it comes with the multipliers: its shape violates the constraints";
  return "it is a vibration of the penalty: its shape violates the constraints";
}

Json short_mode_json(const Mode& mode, Method method) {
  Json json = {{"s", eigenvalue_json(mode)}, {"class", word_of(mode.kind)}};
  if (std::isfinite(mode.error)) json["error"] = json_number(mode.error);
  if (!std::isnan(mode.penalty_error)) json["corrected"] = complex_json(mode.corrected);
  const std::string why = why_of(mode, method);
  if (!why.empty()) json["why"] = why;
  return json;
}

Json full_mode_json(const Mode& mode, const ModeAccount& account, Method method) {
  Json json = short_mode_json(mode, method);
  json["frequency_hz"] = mode.is_infinite() ? Json(nullptr) : json_number(frequency(mode));
  json["damping_ratio"] = mode.is_infinite() ? Json(nullptr) : json_number(damping_ratio(mode));
  json["residual"] = json_number(mode.residual);
  json["backward_error"] = json_number(mode.backward_error);
  json["condition"] = json_number(mode.condition);
  json["error"] = json_number(mode.error);
  json["multiplicity"] = mode.multiplicity;
  json["description"] = account.description;
  json["energy"] = shares_json(account.energy.potential);
  json["kinetic_energy"] = shares_json(account.energy.kinetic);
  return json;
}

bool is_upper(const Mode& mode) { return mode.is_infinite() || !(mode.s.imag() < 0); }

/// The modes of the table, each with its motion; of a pair the one with Im s > 0.
Json listed_modes(const std::vector<Mode>& modes, const std::vector<ModeAccount>& accounts, Method method,
                  const std::string& branch, const PageScene& scene) {
  Json list = Json::array();
  Index number = 0;
  for (std::size_t k = 0; k < modes.size() && list.size() < most_listed_modes; ++k) {
    if (modes[k].kind == ModeClass::spurious || modes[k].is_infinite() || !is_upper(modes[k])) continue;
    Json json = full_mode_json(modes[k], k < accounts.size() ? accounts[k] : ModeAccount(), method);
    scene.add_motion(json, branch, ++number);
    list.push_back(std::move(json));
  }
  return list;
}

void add_roots(const std::vector<Mode>& modes, Method method, bool of_the_form, Json& to) {
  std::size_t added = 0;
  for (const Mode& mode : modes) {
    if (!is_upper(mode) || (mode.kind == ModeClass::spurious) != of_the_form || added == most_roots) continue;
    // One infinite eigenvalue stands for all of them; their number is stated beside.
    if (mode.is_infinite() && added > 0 && to.back().at("s").at(0).is_null()) continue;
    to.push_back(short_mode_json(mode, method));
    ++added;
  }
}

Json method_json(const MethodReport& report, bool is_main, const PageScene& scene) {
  const Spectrum& spectrum = report.spectrum;
  Json json = {{"computed", report.computed}};
  if (!report.why_not.empty()) json["message"] = report.why_not;
  json["modes"] = Json::array();
  if (is_main) json["modes"] = listed_modes(spectrum.modes, report.accounts, report.method, "", scene);
  else add_roots(spectrum.modes, report.method, false, json["modes"]);
  add_roots(spectrum.modes, report.method, true, json["modes"]);
  json["size"] = spectrum.size;
  json["spurious"] = spectrum.spurious;
  json["solver"] = spectrum.solver;
  json["count"] = count_json(spectrum);
  json["seconds"] = json_number(spectrum.seconds);
  json["penalty"] = penalty_json(report);
  return json;
}

Json summary_json(const AnalysisCase& analysis, const PageContent& content) {
  Json json = model_json(analysis);
  Json names = Json::array();
  for (const Json& set : json["redundant"])
    for (const Json& name : set)
      if (names.size() < at(most_listed)) names.push_back(name);
  json["redundant"] = names;
  json.erase("rank");
  if (!content.description.empty()) json["description"] = content.description;
  while (static_cast<Index>(json["parameters"].size()) > most_parameters)
    json["parameters"].erase(std::prev(json["parameters"].end()));
  return json;
}

Json rest_json(const AnalysisCase& analysis) {
  const Json all = equilibrium_json(*analysis.model, *analysis.rest, {});
  Json json;
  for (const char* const key :
       {"status", "message", "residual", "worst_coordinate", "constraint_residual", "worst_constraint", "conservative",
        "unstable_directions", "neutral_directions", "iterations"})
    json[key] = all.at(key);
  return json;
}

Json branches_json(const Comparison& comparison, const PageScene& scene) {
  Json list = Json::array();
  for (const BranchReport& branch : comparison.branches) {
    Json json = {{"name", branch.name}, {"verdict", in_words(branch.verdict)}};
    json["description"] = branch.verdict.reason;
    if (const auto tangent = scene.tangent_of(branch.name)) json["tangent_motion"] = *tangent;
    json["modes"] = listed_modes(branch.spectrum.modes, branch.accounts, Method::mcs, branch.name, scene);
    list.push_back(std::move(json));
  }
  return list;
}

/// Frame after frame: x, y, angle in the plane; x, y, z and the quaternion in space.
void append_poses(const SceneFrames& frames, const State& state, std::vector<float>& numbers) {
  const auto append = [&](std::initializer_list<double> values) {
    for (const double value : values) numbers.push_back(static_cast<float>(value));
  };
  const SceneFrames::Poses at_state = frames.poses(state);
  for (std::size_t f = 0; f < at_state.poses.size(); ++f) {
    const ScenePose& pose = at_state.poses[f];
    if (frames.is_in_space()) {
      append({pose.position.x, pose.position.y, pose.position.z});
      append({pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z});
    } else {
      append({pose.position.x, pose.position.y, at_state.angles[f]});
    }
  }
}

/// The first entry of the list is the second equilibrium: the first one is that of the analysis.
Json equilibria_json(const std::vector<PageEquilibrium>& equilibria, const PageScene& scene) {
  Json list = Json::array();
  for (std::size_t k = 0; k < equilibria.size(); ++k) {
    const auto& [analysis, found] = equilibria[k];
    const std::string name = PageScene::name_of_equilibrium(k);
    Json json = {{"name", name}, {"verdict", in_words(found.verdict)}, {"description", found.verdict.reason}};
    if (analysis.rest->conservative)
      json["energy"] = json_number(potential_energy(*analysis.model, analysis.rest->state));
    json["modes"] = listed_modes(found.result.spectrum.modes, found.result.accounts, Method::mcs, name, scene);
    if (scene.exists()) {
      std::vector<float> numbers;
      append_poses(SceneFrames(*analysis.model), analysis.rest->state, numbers);
      json["pose"] = packed(numbers);
    }
    list.push_back(std::move(json));
  }
  return list;
}

/// "hinge" of "hinge.tilt_x"; a name without a component is that of its element.
std::string joint_of(const std::string& constraint) { return constraint.substr(0, constraint.rfind('.')); }

/// The dependent sets of the equilibrium: of each one constraint follows from the others.
std::vector<PageRedundancy> dependent_sets_of(const Equilibrium& rest) {
  std::vector<PageRedundancy> list;
  for (const std::vector<std::string>& set : rest.dependent_sets) {
    if (set.empty()) continue;
    PageRedundancy one{set.back(), joint_of(set.back())};
    one.said_by.assign(set.begin(), set.end() - 1);
    for (const std::string& name : set)
      if (std::find(one.loop.begin(), one.loop.end(), joint_of(name)) == one.loop.end())
        one.loop.push_back(joint_of(name));
    list.push_back(std::move(one));
  }
  return list;
}

std::vector<std::string> first_of(const std::vector<std::string>& names) {
  const auto count = static_cast<std::ptrdiff_t>(std::min(names.size(), at(most_listed)));
  return {names.begin(), names.begin() + count};
}

Json redundancy_json(const AnalysisCase& analysis, const PageContent& content) {
  Json json = {{"words", content.redundancy_words}, {"constraints", Json::array()}};
  const std::vector<PageRedundancy> list =
      content.redundancy.empty() ? dependent_sets_of(*analysis.rest) : content.redundancy;
  for (const PageRedundancy& each : list) {
    if (json["constraints"].size() >= at(most_listed)) break;
    Json one = {{"name", each.name}, {"joint", each.joint}};
    one["loop"] = first_of(each.loop);
    one["said_by"] = first_of(each.said_by);
    if (!each.release.empty()) one["release"] = each.release;
    json["constraints"].push_back(std::move(one));
  }
  return json;
}

Json sparsity_json(const AnalysisCase& analysis) {
  const SparsityReport report = measure_sparsity(analysis.system, {.pictures = true});
  Json list = Json::array();
  for (const SpyPicture& picture : spy_pictures(report)) {
    const char* const title = picture.name == "masses" ? "Leading matrices of the three forms, and their factors"
                              : picture.name == "mcs"  ? "MCS: the matrix that is factored, and its factor"
                              : picture.name == "rcs"  ? "RCS: the matrix that is factored, and its factor"
                              : picture.name == "ucs"  ? "UCS: the matrix that is factored, and its factor"
                                                       : nullptr;
    if (title) list.push_back({{"title", title}, {"svg", picture.svg}});
  }
  return list;
}

std::vector<float> floats(const Eigen::Index count, const std::function<double(Eigen::Index)>& value) {
  std::vector<float> list;
  for (Eigen::Index i = 0; i < count; ++i) list.push_back(static_cast<float>(value(i)));
  return list;
}

std::string unit_of(const LinearSystem& system, Eigen::Index output, Eigen::Index input) {
  if (!system.output_unit || !system.input_unit) return "";
  if (output >= system.outputs() || input >= system.inputs()) return "";
  const std::string of_output = system.output_unit(static_cast<Index>(output));
  const std::string of_input = system.input_unit(static_cast<Index>(input));
  return of_output.empty() || of_input.empty() ? "" : of_output + " / (" + of_input + ")";
}

Json responses_json(const AnalysisCase& analysis, const PageContent& content) {
  Json list = Json::array();
  for (const FrequencyResponse& response : content.responses) {
    const auto points = static_cast<Eigen::Index>(response.response.size());
    for (std::size_t i = 0; i < response.input_names.size(); ++i) {
      for (std::size_t o = 0; o < response.output_names.size(); ++o) {
        if (static_cast<Eigen::Index>(list.size()) == most_curves) return list;
        const auto row = static_cast<Eigen::Index>(o), column = static_cast<Eigen::Index>(i);
        const auto value = [&](Eigen::Index k) { return response.response[at(k)](row, column); };
        Json json = {{"input", response.input_names[i]}, {"output", response.output_names[o]}};
        const bool is_of_model = analysis.system.input_name && static_cast<Index>(i) < analysis.system.inputs() &&
                                 analysis.system.input_name(static_cast<Index>(i)) == response.input_names[i];
        const std::string unit = is_of_model ? unit_of(analysis.system, row, column) : "";
        if (!unit.empty()) json["unit"] = unit;
        json["frequency_hz"] =
            packed(floats(points, [&](auto k) { return response.omega[k] / (2 * std::numbers::pi); }));
        json["real"] = packed(floats(points, [&](auto k) { return value(k).real(); }));
        json["imaginary"] = packed(floats(points, [&](auto k) { return value(k).imag(); }));
        list.push_back(std::move(json));
      }
    }
  }
  return list;
}

Json motion_json(const Model& model, const Motion& motion) {
  const SceneFrames frames(model);
  std::vector<float> numbers;
  for (const State& state : motion.states) append_poses(frames, state, numbers);
  const auto over_time = [&](const std::vector<double>& values) {
    return packed(floats(static_cast<Eigen::Index>(motion.states.size()), [&](auto k) { return values[at(k)]; }));
  };
  Json json = {{"title", fmt::format("Motion from the guess, {:g} s", motion.end_time - motion.start_time)}};
  json["time"] = over_time(motion.times);
  json["frames"] = packed(numbers);
  json["energy"] = {{"kinetic", over_time(motion.kinetic)}, {"potential", over_time(motion.potential)}};
  return json;
}

/// The eigenvalues with Im s ≥ 0 at each value of the parameter; null where a branch does not exist.
Json root_locus_json(const Sweep& sweep) {
  Json json = {{"parameter", sweep.parameter}, {"unit", sweep.unit}, {"values", Json::array()}};
  json["spectra"] = Json::array();
  json["verdicts"] = Json::array();
  std::vector<Eigen::Index> upper;
  for (Eigen::Index row = 0; row < sweep.s.rows(); ++row) {
    const bool is_lower = (sweep.s.row(row).imag().array() < 0).any() && !(sweep.s.row(row).imag().array() > 0).any();
    if (!is_lower) upper.push_back(row);
  }
  for (std::size_t k = 0; k < sweep.points.size(); ++k) {
    json["values"].push_back(json_number(sweep.points[k].parameter));
    json["verdicts"].push_back(in_words(sweep.points[k].verdict));
    Json roots = Json::array();
    for (const Eigen::Index row : upper) roots.push_back(complex_json(sweep.s(row, static_cast<Eigen::Index>(k))));
    json["spectra"].push_back(std::move(roots));
  }
  return json;
}

Json provenance_json(const PageContent& content) {
  Json json = {{"command", content.command}, {"version", version()}, {"date", content.date}};
  if (!content.model_hash.empty()) json["sha256"] = content.model_hash;
  if (!content.model_path.empty()) json["model_path"] = content.model_path;
  if (!content.model_text.empty()) json["model_text"] = content.model_text;
  return json;
}

std::size_t main_method(const Comparison& comparison) {
  for (std::size_t k = 0; k < comparison.methods.size(); ++k)
    if (comparison.methods[k].computed) return k;
  return 0;
}

void add_methods(const Comparison& comparison, const PageScene& scene, Json& json) {
  const std::size_t main = main_method(comparison);
  json["main"] = key_of(comparison.methods[main].method);
  json["methods"] = Json::object();
  json["differences"] = Json::object();
  for (std::size_t k = 0; k < comparison.methods.size(); ++k) {
    const MethodReport& report = comparison.methods[k];
    json["methods"][key_of(report.method)] = method_json(report, k == main, scene);
    const auto& differences = comparison.differences[k];
    if (k > 0 && differences) json["differences"][key_of(report.method)] = json_number(differences->largest);
  }
}

}  // namespace

Json page_json(const AnalysisCase& analysis, const Comparison& comparison, const PageContent& content,
               const PageOptions& options) {
  const PageScene scene(analysis, comparison, content, options);
  Json json = {{"schema", "stillpoint.page/1"}, {"model", summary_json(analysis, content)}};
  if (analysis.model && analysis.rest) json["equilibrium"] = rest_json(analysis);
  add_verdict(json, comparison.verdict);
  json["verdict"] = in_words(comparison.verdict);
  if (!content.verdict_words.empty()) json["verdict_words"] = content.verdict_words;
  add_methods(comparison, scene, json);
  json["advice"] = comparison.sparsity ? Json(comparison.sparsity->advice) : Json::array();
  json["warnings"] = analysis.rest ? Json(analysis.rest->warnings) : Json::array();
  for (const std::string& warning : comparison.warnings) json["warnings"].push_back(warning);
  std::vector<std::string> left_out = content.left_out;
  left_out.insert(left_out.end(), scene.left_out().begin(), scene.left_out().end());
  if (scene.exists()) json["scene"] = scene.json();
  if (!comparison.branches.empty()) json["branches"] = branches_json(comparison, scene);
  if (!content.equilibria.empty()) json["equilibria"] = equilibria_json(content.equilibria, scene);
  if (analysis.rest && !analysis.rest->dependent_sets.empty()) json["redundancy"] = redundancy_json(analysis, content);
  if (analysis.system.coordinates() <= options.most_for_pictures) json["sparsity"] = sparsity_json(analysis);
  else
    left_out.push_back(
        fmt::format("The matrices are not drawn: there are {} coordinates.", analysis.system.coordinates()));
  if (!content.responses.empty()) json["responses"] = responses_json(analysis, content);
  if (analysis.model && content.motion && !content.motion->states.empty() && scene.exists())
    json["motion_in_time"] = motion_json(*analysis.model, *content.motion);
  if (content.sweep) json["root_locus"] = root_locus_json(*content.sweep);
  if (!left_out.empty()) json["left_out"] = left_out;
  json["provenance"] = provenance_json(content);
  return json;
}

}  // namespace stillpoint
