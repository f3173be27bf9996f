#include "cli/mode_options.h"
#include "cli/progress_line.h"
#include "cli/verbs.h"

namespace stillpoint::cli {

namespace {

void run(const ModeOptions& options) {
  const Subject subject = load_subject(options);
  ReportOptions how = report_options(options, subject.system);
  ProgressLine progress(!options.quiet);
  how.modes.progress = progress.sink();
  const Comparison comparison = compare_methods(subject, how);
  progress.clear();
  const PrintOptions print = print_options(options);
  deliver(options, options.json ? to_json(subject, comparison, print) : to_text(subject, comparison, print));
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
      "The spectra of three methods side by side. Minimal coordinates, redundant coordinates with multipliers, and\n"
      "penalties: sizes, spurious eigenvalues, differences, fill-in and times.");
  auto options = std::make_shared<ModeOptions>();
  add_mode_options(*verb, *options);
  verb->callback([options] { run(*options); });
}

}  // namespace stillpoint::cli
