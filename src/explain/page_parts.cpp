#include "explain/page_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <set>

#include "base/usual_requests.h"
#include "equilibrium/same_equilibrium.h"
#include "read/tree.h"
#include "stillpoint/assemble.h"
#include "stillpoint/close_loops.h"
#include "stillpoint/error.h"
#include "stillpoint/explanation.h"

namespace stillpoint {

namespace {

constexpr Index small_for_page = 2000;  // of 2n + m: the page shows the whole spectrum

/// "release hinge[2].tilt_x (spherical); this leaves 1 degree of freedom and no redundancy"
std::string advice_of(const ReleaseChoice& choice) {
  std::string text;
  for (const JointRelease& joint : choice.joints) {
    text += text.empty() ? "" : "; ";
    if (joint.is_removed) text += "remove " + joint.joint;
    else text += fmt::format("release {}", fmt::join(joint.released, ", "));
    if (!joint.becomes.empty()) text += fmt::format(" ({})", joint.becomes);
  }
  return text + fmt::format("; this leaves {} degree{} of freedom and {}", choice.dof, choice.dof == 1 ? "" : "s",
                            choice.redundant == 0 ? "no redundancy" : fmt::format("{} redundant", choice.redundant));
}

PageRedundancy redundancy_of(const RedundantGroup& group) {
  PageRedundancy shown;
  if (!group.choices.empty() && !group.choices[0].joints.empty()) {
    const JointRelease& first = group.choices[0].joints[0];
    shown.name = first.released.empty() ? first.joint : first.released[0];
    shown.joint = first.joint;
    shown.release = advice_of(group.choices[0]);
  } else if (!group.constraints.empty()) {
    shown.name = group.constraints.back();
  }
  if (!group.loops.empty()) shown.loop = group.loops[0].joints;
  for (const std::string& name : group.constraints)
    if (name != shown.name) shown.said_by.push_back(name);
  return shown;
}

constexpr Index most_explained = 5000;  // coordinates: the explanation is to take less time than the analysis

constexpr std::size_t most_equilibria = 12;  // beside the first one: more are not looked at one by one

/// Those that random starts lead to, without the one that is analysed, and of each family one.
std::vector<Equilibrium> found_elsewhere(const AnalysisCase& analysis, const State& guess,
                                         const EquilibriumOptions& search) {
  SearchOptions from_random_starts;
  static_cast<EquilibriumOptions&>(from_random_starts) = search;
  from_random_starts.held = {};
  const std::vector<Equilibrium> found = find_equilibria(*analysis.model, guess, from_random_starts);
  const auto is_known = [&](const Equilibrium& rest) {
    return is_same_equilibrium(*analysis.model, analysis.rest->state, rest.state);
  };
  std::set<Index> families;
  for (const Equilibrium& rest : found)
    if (rest.family > 0 && is_known(rest)) families.insert(rest.family);
  std::vector<Equilibrium> elsewhere;
  for (const Equilibrium& rest : found)
    if (!is_known(rest) && (rest.family == 0 || families.insert(rest.family).second)) elsewhere.push_back(rest);
  return elsewhere;
}

}  // namespace

void add_equilibria(const AnalysisCase& analysis, const State& guess, const EquilibriumOptions& search,
                    const AnalysisOptions& how, PageContent& content) {
  const std::vector<Equilibrium> found = found_elsewhere(analysis, guess, search);
  if (found.empty()) content.left_out.push_back("Other equilibria: random starts lead to none.");
  for (const Equilibrium& rest : found) {
    if (content.equilibria.size() == most_equilibria) {
      content.left_out.push_back(fmt::format("{} more equilibria.", found.size() - most_equilibria));
      break;
    }
    AnalysisCase other{.system = close_loops(linearize(*analysis.model, rest), analysis.controllers),
                       .model = analysis.model,
                       .rest = rest,
                       .controllers = analysis.controllers};
    ModesReport modes = report_modes(other, Method::mcs, how);
    content.equilibria.push_back({std::move(other), std::move(modes)});
  }
}

void explain_on_page(const AnalysisCase& analysis, const std::string& model_words, PageContent& content) {
  if (analysis.system.coordinates() > most_explained) return;
  ExplanationRequest request;
  request.topics = {ExplanationTopic::verdict, ExplanationTopic::redundancy};
  request.model_words = model_words;
  const Explanation found = explain_analysis(analysis, request);
  for (const ExplanationBlock& block : in_words(found)) {
    if (block.topic == ExplanationTopic::verdict) content.verdict_words = block.sentences;
    if (block.topic == ExplanationTopic::redundancy) content.redundancy_words = block.sentences;
  }
  if (!found.redundancy) return;
  for (const RedundantGroup& group : found.redundancy->groups) content.redundancy.push_back(redundancy_of(group));
}

void show_model_text(const std::string& text, const std::string& file, PageContent& content) {
  content.model_text = text;
  const Tree tree = parse_tree(text, file);
  if (const Tree* const description = tree.find("description")) content.description = description->text;
}

AnalysisOptions for_page(AnalysisOptions how, const LinearSystem& system, Index modes) {
  const std::int64_t order = 2 * std::int64_t{system.coordinates()} + system.constraints();
  if (order > small_for_page) how.modes.which = Lowest{modes};
  return how;
}

FrequencyResponse response_for_page(const LinearSystem& system, const PageResponse& asked) {
  ResponseRange range = range_of_modes(system);
  if (asked.from) range.from = *asked.from * 2 * std::numbers::pi;
  if (asked.to) range.to = *asked.to * 2 * std::numbers::pi;
  if (!(range.from < range.to)) throw Error("responses: the first frequency must be below the second");
  return frequency_response(system, frequencies_for_plot(range), {.minimum_norm_reactions = asked.minimum_norm});
}

Motion motion_on_page(const Model& model, const State& guess, double seconds,
                      const std::function<void(const std::string&)>& progress) {
  constexpr double most_instants = 500, shortest = 0.02;  // s: 50 pictures a second are enough
  State start = guess;
  start.v = Eigen::VectorXd::Zero(model.coordinates());
  start = consistent_state(model, assemble(model, start).state);
  MotionOptions how;
  how.method = choose_method(model, start, seconds).method;
  if (how.method == MotionMethod::implicit || how.method == MotionMethod::sdirk)
    how.tolerance = usual::implicit_tolerance;
  how.times = times_until(seconds, std::max(shortest, seconds / most_instants));
  how.keeps_states = true;
  if (progress) how.progress = [&progress](double, const std::string& text) { progress(text); };
  return integrate(model, start, how);
}

}  // namespace stillpoint
