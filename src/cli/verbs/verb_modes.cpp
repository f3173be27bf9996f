#include "cli/engine_modes.h"
#include "cli/mode_options.h"
#include "cli/option_groups.h"
#include "cli/progress_line.h"
#include "cli/verbs.h"

namespace stillpoint::cli {

namespace {

struct ModesArguments : ModeOptions {
  std::string method = "mcs";
  EngineArguments programs;
};

Method method_called(const std::string& word) {
  return word == "rcs" ? Method::rcs : word == "ucs" ? Method::ucs : Method::mcs;
}

ModesReport find_report(const ModesArguments& options, const AnalysisCase& analysis) {
  ProgressLine progress(!options.quiet);
  const Method method = method_called(options.method);
  if (options.programs.are_meant(options))
    return report_by_engine(options.programs, options, analysis, method, progress.sink());
  AnalysisOptions how = analysis_options(options, analysis.system);
  how.modes.spurious = options.spurious;
  how.modes.progress = progress.sink();
  return report_modes(analysis, method, how);
}

void run(const ModesArguments& options) {
  require_its_method(options, options.method);
  require_engine_arguments(options.programs, options, options.method);
  const AnalysisCase analysis = load_analysis(options);
  if (!options.programs.write.empty())
    return deliver(options, write_engine_request(options.programs, options, analysis));
  const ModesReport report = find_report(options, analysis);
  const PrintOptions print = print_options(options);
  deliver(options, options.json ? to_json(analysis, report, print) : to_text(analysis, report, print));
  warn(options, report.warnings);
  if (!report.result.computed) {
    print_message(report.result.why_not);
    throw CLI::RuntimeError(numerics_failed);
  }
  conclude(options, is_certified(report), report.verdict, judged_modes(report));
}

}  // namespace

void add_modes(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("modes", "natural frequencies, damping, stability");
  verb->description(
      "Examples:\n"
      "  stillpoint modes cases/four_bar --set N=20 --set c=1\n"
      "  stillpoint modes cases/four_bar --method ucs --alpha 1e6\n"
      "  stillpoint modes cases/n_pendulum --count 5 --shapes --json\n"
      "  stillpoint modes folder_of_matrices --assert-stable\n"
      "  stillpoint modes folder_of_matrices --count 10 --engine slepc --ranks 8\n\n"
      "Natural frequencies, damping ratios, participation in each mode, and stability. The model is linearized\n"
      "about its equilibrium, or read as a folder of matrices.");
  auto options = std::make_shared<ModesArguments>();
  options->other_programs = {"slepc"};
  add_mode_options(*verb, *options);
  add_engine_arguments(*verb, options->programs);
  verb->add_option("--method", options->method,
                   "mcs: minimal coordinates; rcs: redundant coordinates with multipliers; ucs: penalty")
      ->group(group::method)
      ->check(CLI::IsMember({"mcs", "rcs", "ucs"}));
  verb->callback([options] { run(*options); });
}

}  // namespace stillpoint::cli
