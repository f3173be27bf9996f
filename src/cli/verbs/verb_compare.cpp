#include "cli/mode_options.h"
#include "cli/progress_line.h"
#include "cli/verbs.h"

namespace stillpoint::cli {

namespace {

void run(const ModeOptions& options) {
  const AnalysisCase analysis = load_system(options);
  AnalysisOptions how = analysis_options(options, analysis.system);
  ProgressLine progress(!options.quiet);
  how.modes.progress = progress.sink();
  const Comparison comparison = compare_methods(analysis, how);
  progress.clear();
  const PrintOptions print = print_options(options);
  deliver(options, options.json ? to_json(analysis, comparison, print) : to_text(analysis, comparison, print));
  warn(options, comparison.warnings);
  conclude(options, is_certified(comparison), comparison.verdict, judged_modes(comparison));
}

}  // namespace

void add_compare(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("compare", "the three methods side by side");
  verb->description(
      "Examples:\n"
      "  stillpoint compare cases/four_bar --set N=20\n"
      "  stillpoint compare cases/five_bar_parallelogram --spurious\n"
      "  stillpoint compare folder_of_matrices --json\n\n"
      "The spectra of three methods side by side. The methods are minimal coordinates (MCS), redundant coordinates\n"
      "with multipliers (RCS), and unconstrained coordinates with a penalty (UCS); sizes, spurious eigenvalues,\n"
      "differences, fill-in and times are compared.");
  auto options = std::make_shared<ModeOptions>();
  add_mode_options(*verb, *options);
  verb->callback([options] { run(*options); });
}

}  // namespace stillpoint::cli
