#include <fmt/format.h>

#include <filesystem>
#include <numbers>
#include <set>

#include "cli/channel_options.h"
#include "cli/mode_options.h"
#include "cli/number_checks.h"
#include "cli/option_groups.h"
#include "cli/origin.h"
#include "cli/progress_line.h"
#include "cli/variations.h"
#include "equilibrium/same_equilibrium.h"
#include "read/find_model_file.h"
#include "read/tree.h"
#include "stillpoint/assemble.h"
#include "stillpoint/close_loops.h"
#include "stillpoint/error.h"
#include "stillpoint/explanation.h"
#include "stillpoint/linear_system.h"
#include "stillpoint/report_page.h"

namespace stillpoint::cli {

namespace {

struct ReportArguments : ModeOptions, ChannelOptions {
  Index modes = PageOptions().modes;
  double amplitude = ModeMotionOptions().amplitude;
  bool no_motion = false;
  std::optional<double> from, to;  ///< Hz
  std::optional<double> motion;    ///< s
  bool equilibria = false;
  std::string over;
};

constexpr Index small_for_page = 2000;  // of 2n + m: the page shows the whole spectrum

AnalysisOptions how_to_analyse(const ReportArguments& options, const LinearSystem& system) {
  AnalysisOptions how = analysis_options(options, system);
  const std::int64_t order = 2 * std::int64_t{system.coordinates()} + system.constraints();
  if (order > small_for_page) how.modes.which = Lowest{options.modes};
  return how;
}

/// Responses where the model names inputs and outputs, or the user does.
std::vector<FrequencyResponse> responses_of(const ReportArguments& options, const LinearSystem& system) {
  const bool is_asked = !options.inputs.empty() || !options.outputs.empty();
  if (!is_asked && (system.inputs() == 0 || system.outputs() == 0)) return {};
  const LinearSystem with = is_asked ? with_channels(system, options) : system;
  ResponseRange range = range_of_modes(with);
  if (options.from) range.from = *options.from * 2 * std::numbers::pi;
  if (options.to) range.to = *options.to * 2 * std::numbers::pi;
  if (!(range.from < range.to)) throw Error("--from: the first frequency must be below the second");
  return {frequency_response(with, frequencies_for_plot(range), {.minimum_norm_reactions = options.minimum_norm})};
}

/// The motion from the guess, at rest there, at 25 instants in a second of the page or fewer.
std::optional<Motion> motion_from_guess(const ReportArguments& options, const Model& model, ProgressLine& progress) {
  if (!options.motion) return std::nullopt;
  constexpr double most_instants = 500;
  const Guess guess = load_guess(options);
  State start = guess.point.state;
  start.v = Eigen::VectorXd::Zero(model.coordinates());
  start = consistent_state(model, assemble(model, start).state);
  MotionOptions how;
  const MethodChoice choice = choose_method(model, start, *options.motion);
  how.method = choice.method;
  if (how.method == MotionMethod::implicit || how.method == MotionMethod::sdirk) how.tolerance = 1e-6;
  how.times = times_until(*options.motion, std::max(0.02, *options.motion / most_instants));
  how.keeps_states = true;
  const auto say = progress.sink();
  if (say) how.progress = [&say](double, const std::string& text) { say(text); };
  return integrate(model, start, how);
}

constexpr std::size_t most_equilibria = 12;  // beside the first one: more are not looked at one by one

/// Those that random starts lead to, without the one that is analysed, and of each family one.
std::vector<Equilibrium> found_elsewhere(const ReportArguments& options, const AnalysisCase& analysis) {
  const Guess guess = load_guess(options);
  SearchOptions how;
  static_cast<EquilibriumOptions&>(how) = guess.how;
  how.held = {};  // the starts are random
  const std::vector<Equilibrium> found = find_equilibria(*analysis.model, guess.point.state, how);
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

void add_equilibria(const ReportArguments& options, const AnalysisCase& analysis, PageContent& content) {
  if (!options.equilibria) return;
  const std::vector<Equilibrium> found = found_elsewhere(options, analysis);
  if (found.empty()) content.left_out.push_back("Other equilibria: random starts lead to none.");
  for (const Equilibrium& rest : found) {
    if (content.equilibria.size() == most_equilibria) {
      content.left_out.push_back(fmt::format("{} more equilibria.", found.size() - most_equilibria));
      break;
    }
    AnalysisCase other{linearize(*analysis.model, rest), analysis.model, rest};
    other.system = close_loops(other.system, analysis.controllers);
    other.controllers = analysis.controllers;
    ModesReport modes = report_modes(other, Method::mcs, how_to_analyse(options, other.system));
    content.equilibria.push_back({std::move(other), std::move(modes)});
  }
}

std::optional<Sweep> sweep_over(const ReportArguments& options, ProgressLine& progress) {
  if (options.over.empty()) return std::nullopt;
  const ParameterRange over = range_in("--over", options.over);
  const StudyStart study = start_study(options, over.name, over.values.front());
  SweepOptions how{.spacing = over.spacing};
  how.progress = progress.sink();
  return sweep_modes(study.variation, study.rest, over.values, how);
}

std::string file_name(const ReportArguments& options, const std::string& model) {
  if (!options.output.empty()) return options.output;
  std::string name;
  for (const char c : model) name += c == '/' || c == '\0' ? '_' : c;
  return (name.empty() ? "report" : name) + ".html";
}

/// What the page says of its origin, with the model file itself.
PageContent origin_of_page(const std::string& model, const std::string& command) {
  const Plant::Origin origin = origin_of(model, command);
  PageContent content;
  content.command = command;
  content.date = origin.date;
  content.model_hash = origin.model_hash;
  content.model_path = model;
  if (is_matrix_folder(model)) return content;
  const std::string file = find_model_file(model);
  content.model_text = text_of_model_file(file);
  const Tree tree = parse_tree(content.model_text, file);
  if (const Tree* const description = tree.find("description")) content.description = description->text;
  return content;
}

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

/// What `explain` says of the verdict and of redundant constraints.
void explain(const AnalysisCase& analysis, const std::string& model, PageContent& content) {
  if (analysis.system.coordinates() > most_explained) return;
  ExplanationRequest request;
  request.topics = {ExplanationTopic::verdict, ExplanationTopic::redundancy};
  request.model_words = model;
  const Explanation found = explain_analysis(analysis, request);
  for (const ExplanationBlock& block : in_words(found)) {
    if (block.topic == ExplanationTopic::verdict) content.verdict_words = block.sentences;
    if (block.topic == ExplanationTopic::redundancy) content.redundancy_words = block.sentences;
  }
  if (!found.redundancy) return;
  for (const RedundantGroup& group : found.redundancy->groups) content.redundancy.push_back(redundancy_of(group));
}

std::string size_in_words(std::size_t bytes) {
  if (bytes < 1'000'000) return fmt::format("{} kB", (bytes + 999) / 1000);
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

void run(const ReportArguments& options, const std::string& command) {
  if (options.json) throw Error("--json: a report is a page; its data are in it, and 'compare --json' has the numbers");
  const AnalysisCase analysis = load_analysis(options);
  ProgressLine progress(!options.quiet);
  AnalysisOptions how = how_to_analyse(options, analysis.system);
  how.modes.progress = progress.sink();
  const Comparison comparison = compare_methods(analysis, how);
  progress.clear();
  PageContent content = origin_of_page(options.path, command);
  explain(analysis, options.path, content);
  content.responses = responses_of(options, analysis.system);
  if ((options.motion || options.equilibria || !options.over.empty()) && !analysis.model)
    throw Error("--motion, --equilibria and --over need a model; this is a folder of matrices");
  if (analysis.model) {
    content.motion = motion_from_guess(options, *analysis.model, progress);
    add_equilibria(options, analysis, content);
  }
  content.sweep = sweep_over(options, progress);
  progress.clear();
  PageOptions page;
  page.modes = options.modes;
  page.motions = !options.no_motion;
  page.motion.amplitude = options.amplitude;
  const std::string html = report_page(analysis, comparison, content, page);
  ModelOptions to = options;
  to.output = file_name(options, analysis.system.name);
  deliver(to, html);
  if (!options.quiet) print_message(fmt::format("wrote {}, {}", to.output, size_in_words(html.size())));
  warn(options, comparison.warnings);
  conclude(options, is_certified(comparison), comparison.verdict, judged_modes(comparison));
}

}  // namespace

void add_report(CLI::App& app, const std::string& command) {
  CLI::App* const verb =
      app.add_subcommand("report", "one HTML page that shows the mechanism, its modes, the evidence");
  verb->description(
      "Examples:\n"
      "  stillpoint report cases/four_bar --set N=5\n"
      "  stillpoint report cases/crank_rocker --equilibria -o crank.html\n"
      "  stillpoint report folder_of_matrices\n\n"
      "Writes one HTML page that shows a mechanism, its modes moving, and the evidence. It opens in any browser,\n"
      "without a network, and has the verdict, the spectra of the three methods, energies, frequency responses,\n"
      "redundant constraints, sparsity, and where the numbers come from. Without -o it is called after the model.");
  auto options = std::make_shared<ReportArguments>();
  add_model_options(*verb, *options);
  verb->get_option("-o")->description("the page (default: NAME.html, after the model)");
  add_system_options(*verb, *options);
  add_assert_options(*verb, *options);
  add_channel_options(*verb, *options);
  verb->add_option("--modes", options->modes, "so many of the lowest modes move, and of large systems are found")
      ->group(group::which_modes)
      ->check(CLI::Range(1, 1000));
  verb->add_option("--amplitude", options->amplitude,
                   "largest displacement in a mode, relative to the picture (default: 0.1)")
      ->group(group::output)
      ->check(CLI::Range(0.001, 1.0));
  verb->add_flag("--no-motion", options->no_motion, "modes do not move")->group(group::output);
  verb->add_option("--motion", options->motion, "also play the motion from the guess, at rest there, for SECONDS")
      ->group(group::time)
      ->type_name("SECONDS")
      ->check(above_zero());
  verb->add_flag("--equilibria", options->equilibria,
                 "also show other equilibria, which are searched for from random starts")
      ->group(group::equilibria);
  verb->add_option("--over", options->over,
                   "also show the eigenvalues over a parameter, NAME=FROM:TO[:POINTS][:log], as stillpoint sweep does")
      ->group(group::which_modes)
      ->type_name("NAME=FROM:TO");
  verb->add_option("--from", options->from, "lowest frequency of responses (Hz; default: a decade below the modes)")
      ->group(group::frequencies)
      ->check(above_zero());
  verb->add_option("--to", options->to, "highest frequency of responses (Hz; default: a decade above the tenth mode)")
      ->group(group::frequencies)
      ->check(above_zero());
  verb->callback([options, command] { run(*options, command); });
}

}  // namespace stillpoint::cli
