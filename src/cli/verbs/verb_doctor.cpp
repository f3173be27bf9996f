#include "cli/option_groups.h"
#include "cli/verbs.h"
#include "installation/installation.h"

namespace stillpoint::cli {

void add_doctor(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("doctor", "what this program runs on, and what is missing");
  verb->description(
      "Examples:\n"
      "  stillpoint doctor\n"
      "  stillpoint doctor --json             to be sent with a report of a defect\n\n"
      "What does this program run on, and is anything wrong or missing? Lists the libraries with version and file, "
      "the\n"
      "optional parts, and the machine; computes three known answers; and says in sentences what to change. Ends with\n"
      "exit code 1 if an answer is wrong.");
  auto options = std::make_shared<ModelOptions>();
  verb->add_flag("--json", options->json, "print one JSON object instead of text")->group(group::output);
  verb->add_option("-o", options->output, "write to this file instead of stdout")
      ->group(group::output)
      ->type_name("FILE");
  verb->callback([options] {
    constexpr int not_to_be_trusted = 1;
    const Installation found = inspect_installation();
    deliver(*options, options->json ? to_json(found) : to_text(found));
    if (!diagnose(found).problems.empty()) throw CLI::RuntimeError(not_to_be_trusted);
  });
}

}  // namespace stillpoint::cli
