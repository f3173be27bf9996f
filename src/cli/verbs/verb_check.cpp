#include "cli/verbs.h"
#include "stillpoint/check.h"

namespace stillpoint::cli {

void add_check(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("check", "inventory of a model, and tests whether it is well posed");
  verb->description(
      "Examples:\n"
      "  stillpoint check cases/four_bar\n"
      "  stillpoint check cases/four_bar --set N=20 --json\n\n"
      "What is in this model, and is it well posed? The report lists bodies, coordinates, constraints, parts and\n"
      "loops, mass, the constraint that the guess violates most, coordinates without inertia, and warnings about\n"
      "probable mistakes.");
  auto options = std::make_shared<ModelOptions>();
  add_model_options(*verb, *options);
  verb->callback([options] {
    const CheckReport report = check_model(load(*options));
    deliver(*options, options->json ? to_json(report) : to_text(report));
    warn(*options, report.warnings);
  });
}

}  // namespace stillpoint::cli
