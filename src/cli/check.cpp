#include "stillpoint/check.h"

#include <fmt/format.h>

#include "cli/verbs.h"

namespace stillpoint::cli {

void add_check(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("check", "what is in this model, is it well posed?");
  verb->description(
      "Examples:\n"
      "  stillpoint check cases/four_bar\n"
      "  stillpoint check cases/four_bar --set N=20 --json\n\n"
      "What is in this model, and is it well posed? Bodies, coordinates, constraints, parts and loops, mass, the\n"
      "constraint that the guess violates most, coordinates without inertia, and warnings about what looks like a "
      "slip.");
  auto options = std::make_shared<ModelOptions>();
  add_model_options(*verb, *options);
  verb->callback([options] {
    const CheckReport report = check_model(load(*options));
    deliver(*options, options->json ? to_json(report) : to_text(report));
    const bool shows_warnings = !options->json && options->output.empty();
    if (options->quiet || shows_warnings) return;
    for (const std::string& warning : report.warnings) fmt::print(stderr, "warning: {}\n", warning);
  });
}

}  // namespace stillpoint::cli
