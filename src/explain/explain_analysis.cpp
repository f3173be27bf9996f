// An explanation of an analysis, topic by topic.

#include <algorithm>

#include "explain/topics.h"
#include "stillpoint/check.h"

namespace stillpoint {

namespace explanations {

bool is_small_for_all(const LinearSystem& system) {
  return 2 * std::int64_t{system.coordinates()} + system.constraints() <= most_for_all;
}

AnalysisOptions usual_options(const LinearSystem& system, const std::function<void(const std::string&)>& progress) {
  AnalysisOptions options;
  options.modes.progress = progress;
  if (!is_small_for_all(system)) options.modes.which = Lowest{};
  return options;
}

namespace {

using Topic = ExplanationTopic;

std::vector<std::string> warnings_of(const AnalysisCase& analysis, const ModesReport& report) {
  std::vector<std::string> warnings;
  const auto take = [&](const std::vector<std::string>& more) {
    for (const std::string& warning : more) {
      if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) warnings.push_back(warning);
    }
  };
  if (analysis.rest) take(analysis.rest->warnings);
  take(report.warnings);
  if (analysis.model) take(check_model(*analysis.model).warnings);
  return warnings;
}

/// What a reader should know first: the verdict, whatever is unusual, and then the lowest mode and the method.
std::vector<Topic> worth_knowing(const Explanation& found, bool has_modes) {
  constexpr std::size_t most = 3;
  std::vector<Topic> topics{Topic::verdict};
  if (found.undecided && found.undecided->undecided > 0) topics.push_back(Topic::undecided);
  if (found.singular && found.singular->kind != ConfigurationType::regular &&
      found.singular->kind != ConfigurationType::redundant)
    topics.push_back(Topic::singular);
  if (found.redundancy && found.redundancy->redundant > 0) topics.push_back(Topic::redundancy);
  if (found.warnings && !found.warnings->empty()) topics.push_back(Topic::warnings);
  if (has_modes) topics.push_back(Topic::mode);
  topics.push_back(Topic::method);
  topics.resize(std::min(most, topics.size()));
  return topics;
}

bool has(const std::vector<Topic>& topics, Topic topic) {
  return std::find(topics.begin(), topics.end(), topic) != topics.end();
}

/// Leaves those that were asked for; the others were needed to decide what is worth knowing.
void keep(Explanation& found, const std::vector<Topic>& topics) {
  if (!has(topics, Topic::verdict)) found.verdict.reset();
  if (!has(topics, Topic::undecided)) found.undecided.reset();
  if (!has(topics, Topic::singular)) found.singular.reset();
  if (!has(topics, Topic::redundancy)) found.redundancy.reset();
  if (!has(topics, Topic::warnings)) found.warnings.reset();
}

bool needs_modes(const std::vector<Topic>& topics) {
  return topics.empty() || has(topics, Topic::verdict) || has(topics, Topic::undecided) || has(topics, Topic::mode) ||
         has(topics, Topic::warnings);
}

}  // namespace

}  // namespace explanations

const char* key_of(ExplanationTopic topic) {
  switch (topic) {
    case ExplanationTopic::verdict:
      return "verdict";
    case ExplanationTopic::redundancy:
      return "redundancy";
    case ExplanationTopic::singular:
      return "singular";
    case ExplanationTopic::undecided:
      return "undecided";
    case ExplanationTopic::spurious:
      return "spurious";
    case ExplanationTopic::method:
      return "method";
    case ExplanationTopic::mode:
      return "mode";
    case ExplanationTopic::warnings:
      return "warnings";
    default:
      return "refusal";
  }
}

Explanation explain_analysis(const AnalysisCase& analysis, const ExplanationRequest& request) {
  using namespace explanations;
  const LinearSystem& system = analysis.system;
  Explanation found;
  found.model = system.name;
  found.model_words = request.model_words;
  found.coordinates = system.coordinates();
  found.constraints = system.constraints();
  found.rank = system.rank();
  found.dof = system.dof();

  std::vector<ExplanationTopic> topics = request.topics;
  const bool chooses = topics.empty();
  ModesReport report;
  if (needs_modes(topics)) report = report_modes(analysis, Method::mcs, usual_options(system, request.progress));
  const auto wants = [&](ExplanationTopic topic) { return chooses || has(topics, topic); };
  if (wants(ExplanationTopic::verdict)) found.verdict = explain_verdict(analysis, report);
  if (wants(ExplanationTopic::undecided)) found.undecided = explain_decisions(analysis, report);
  if (wants(ExplanationTopic::singular)) found.singular = explain_singular(analysis);
  if (wants(ExplanationTopic::redundancy)) found.redundancy = explain_redundancy(analysis, request.progress);
  if (wants(ExplanationTopic::warnings)) found.warnings = warnings_of(analysis, report);
  if (chooses) {
    topics = worth_knowing(found, !report.result.accounts.empty());
    keep(found, topics);
  }
  if (has(topics, ExplanationTopic::mode)) found.mode = explain_mode(analysis, report, request);
  if (has(topics, ExplanationTopic::method)) found.method = explain_methods(analysis, request.progress);
  if (has(topics, ExplanationTopic::spurious)) {
    for (const Method method : {Method::rcs, Method::ucs}) {
      if (!request.spurious_of || *request.spurious_of == method)
        found.spurious.push_back(explain_spurious(analysis, method, request.eigenvalue, request.progress));
    }
  }
  return found;
}

Explanation explain_refusal(const Model& model, const Equilibrium& rest, const std::string& model_words) {
  Explanation found;
  found.model = model.name();
  found.model_words = model_words;
  found.coordinates = model.coordinates();
  found.constraints = model.constraints();
  found.rank = rest.rank.value;
  found.dof = rest.dof;
  const bool is_open = rest.status == EquilibriumStatus::not_assembled;
  RefusalExplanation& refusal = found.refusal.emplace();
  refusal.what = is_open                                           ? "the constraints are not satisfied together"
                 : rest.status == EquilibriumStatus::not_at_rest   ? "the guess is not an equilibrium"
                 : rest.status == EquilibriumStatus::not_converged ? "no equilibrium was found"
                                                                   : "the mechanism is at rest";
  refusal.message = rest.message;
  refusal.residual = is_open ? rest.constraint_residual : rest.force_residual;
  refusal.worst = is_open ? rest.worst_constraint : rest.worst_coordinate;
  refusal.command = is_open ? "check" : "equilibrium";
  return found;
}

}  // namespace stillpoint
