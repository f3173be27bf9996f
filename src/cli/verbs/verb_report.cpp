#include <fmt/format.h>

#include <filesystem>

#include "cli/channel_options.h"
#include "cli/mode_options.h"
#include "cli/number_checks.h"
#include "cli/option_groups.h"
#include "cli/origin.h"
#include "cli/progress_line.h"
#include "cli/variations.h"
#include "explain/page_parts.h"
#include "read/find_model_file.h"
#include "stillpoint/error.h"
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

/// Responses where the model names inputs and outputs, or the user does.
std::vector<FrequencyResponse> responses_of(const ReportArguments& options, const LinearSystem& system) {
  const bool is_asked = !options.inputs.empty() || !options.outputs.empty();
  if (!is_asked && (system.inputs() == 0 || system.outputs() == 0)) return {};
  const LinearSystem with = is_asked ? with_channels(system, options) : system;
  return {response_for_page(with, {.from = options.from, .to = options.to, .minimum_norm = options.minimum_norm})};
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
  show_model_text(text_of_model_file(file), file, content);
  return content;
}

std::string size_in_words(std::size_t bytes) {
  if (bytes < 1'000'000) return fmt::format("{} kB", (bytes + 999) / 1000);
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

void run(const ReportArguments& options, const std::string& command) {
  if (options.json) throw Error("--json: a report is a page; its data are in it, and 'compare --json' has the numbers");
  const AnalysisCase analysis = load_system(options);
  ProgressLine progress(!options.quiet);
  AnalysisOptions how = for_page(analysis_options(options, analysis.system), analysis.system, options.modes);
  how.modes.progress = progress.sink();
  const Comparison comparison = compare_methods(analysis, how);
  progress.clear();
  PageContent content = origin_of_page(options.path, command);
  explain_on_page(analysis, options.path, content);
  content.responses = responses_of(options, analysis.system);
  if ((options.motion || options.equilibria || !options.over.empty()) && !analysis.model)
    throw Error("--motion, --equilibria and --over need a model; this is a folder of matrices");
  if (options.motion || options.equilibria) {
    const Guess guess = load_guess(options);
    if (options.motion)
      content.motion = motion_on_page(*analysis.model, guess.point.state, *options.motion, progress.sink());
    if (options.equilibria) add_equilibria(analysis, guess.point.state, guess.how, how, content);
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
