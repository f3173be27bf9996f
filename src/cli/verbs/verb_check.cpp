#include <fmt/format.h>

#include "base/whole_file.h"
#include "cli/option_groups.h"
#include "cli/rest_options.h"
#include "stillpoint/assemble.h"
#include "stillpoint/check.h"
#include "stillpoint/closing.h"
#include "stillpoint/read_controllers.h"

namespace stillpoint::cli {

namespace {

struct CheckArguments : ModelOptions {
  std::string assembled;  ///< file for the assembled configuration; empty: none
};

// The file is written only if the constraints are satisfied.
void write_assembled(const CheckArguments& options, const Model& model) {
  const AssembledGuess found = assemble(model, model.initial_state());
  if (!found.assembled) {
    print_message(found.message);
    throw CLI::RuntimeError(numerics_failed);
  }
  write_whole_file(options.assembled, to_guess(model, found.state));
  if (options.quiet) return;
  for (const std::string& note : found.notes) print_message("note: " + note);
  const Closing closing = close_explicitly(model, found.state);
  if (!closing.groups.empty()) print_message("note: " + to_text(closing));
  print_message(
      fmt::format("note: {0} has the assembled configuration (constraint residual {1:.1e}); other verbs start "
                  "there with --guess {0}",
                  options.assembled, found.constraint_residual));
}

}  // namespace

void add_check(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("check", "inventory of a model, and tests whether it is well posed");
  verb->description(
      "Examples:\n"
      "  stillpoint check cases/four_bar\n"
      "  stillpoint check cases/four_bar --set N=20 --json\n"
      "  stillpoint check cases/four_bar --assemble four_bar.guess\n\n"
      "What is in this model, and is it well posed? The report lists bodies, coordinates, constraints, parts and\n"
      "loops, mass, the constraint that the guess violates most, coordinates without inertia, and warnings about\n"
      "probable mistakes.");
  auto options = std::make_shared<CheckArguments>();
  add_model_options(*verb, *options);
  verb->add_option("--assemble", options->assembled,
                   "write the configuration in which the constraints are satisfied, as a file for --guess of the other "
                   "verbs")
      ->group(group::checks)
      ->type_name("FILE");
  verb->callback([options] {
    const Model model = load(*options);
    read_controllers(options->path, model, parse_settings("--set", options->settings));
    const CheckReport report = check_model(model);
    deliver(*options, options->json ? to_json(report) : to_text(report));
    warn(*options, report.warnings);
    if (!options->assembled.empty()) write_assembled(*options, model);
  });
}

}  // namespace stillpoint::cli
