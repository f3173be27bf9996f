#include "cli/option_groups.h"
#include "cli/verbs.h"

namespace stillpoint::cli {

void add_schema(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("schema", "the JSON Schema of model files, for editors");
  verb->description(
      "Examples:\n"
      "  stillpoint schema -o stillpoint.schema.json\n"
      "  stillpoint schema --manual           the same as a page to read\n\n"
      "The JSON Schema of model files, with which an editor completes and checks them.");
  struct SchemaArguments : ModelOptions {
    bool manual = false;
  };
  auto options = std::make_shared<SchemaArguments>();
  verb->add_flag("--manual", options->manual, "print the reference of model files in Markdown instead")
      ->group(group::output);
  verb->add_option("-o", options->output, "write to this file instead of stdout")
      ->group(group::output)
      ->type_name("FILE");
  verb->callback([options] { deliver(*options, options->manual ? model_manual() : model_schema()); });
}

}  // namespace stillpoint::cli
