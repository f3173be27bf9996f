#include "cli/mode_options.h"
#include "cli/option_groups.h"
#include "cli/progress_line.h"
#include "cli/verbs.h"

namespace stillpoint::cli {

namespace {

struct ModesArguments : ModeOptions {
  std::string method = "mcs";
};

Method method_called(const std::string& word) {
  return word == "rcs" ? Method::rcs : word == "ucs" ? Method::ucs : Method::mcs;
}

void run(const ModesArguments& options) {
  require_its_method(options, options.method);
  const AnalysisCase analysis = load_analysis(options);
  AnalysisOptions how = analysis_options(options, analysis.system);
  how.modes.spurious = options.spurious;
  ProgressLine progress(!options.quiet);
  how.modes.progress = progress.sink();
  const ModesReport report = report_modes(analysis, method_called(options.method), how);
  progress.clear();
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
      "  stillpoint modes folder_of_matrices --assert-stable\n\n"
      "Natural frequencies, damping ratios, participation in each mode, and stability. The model is linearized\n"
      "about its equilibrium, or read as a folder of matrices.");
  auto options = std::make_shared<ModesArguments>();
  add_mode_options(*verb, *options);
  verb->add_option("--method", options->method,
                   "mcs: minimal coordinates; rcs: redundant coordinates with multipliers; ucs: penalty")
      ->group(group::method)
      ->check(CLI::IsMember({"mcs", "rcs", "ucs"}));
  verb->callback([options] { run(*options); });
}

}  // namespace stillpoint::cli
