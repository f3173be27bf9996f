#include "cli/controllers.h"

#include <fmt/format.h>

#include "cli/option_groups.h"
#include "stillpoint/close_loops.h"
#include "stillpoint/error.h"
#include "stillpoint/read_controllers.h"

namespace stillpoint::cli {

void add_open_option(CLI::App& verb, ModelOptions& options, const char* description) {
  verb.add_option("--open", options.open, description)
      ->group(group::model)
      ->allow_extra_args(false)
      ->type_name("CONTROLLER");
}

std::vector<Controller> chosen_controllers(const ModelOptions& options, const Model& model, bool breaks_loops) {
  return with_open_loops(read_controllers(options.path, model, parse_settings("--set", options.settings)), options.open,
                         breaks_loops ? OpenLoop::broken : OpenLoop::left_out);
}

LinearSystem closed_by(const ModelOptions& options, const LinearSystem& system,
                       const std::vector<Controller>& controllers) {
  try {
    return close_loops(system, controllers);
  } catch (const Error& error) {
    throw Error({options.path, 0, 0}, error.message());
  }
}

void refuse_controllers(const ModelOptions& options) {
  for (const std::string& name : options.open) {
    if (name != "all")
      throw Error(fmt::format(
          "--open {}: this verb works on the mechanism alone, so that only --open all has a meaning", name));
  }
  if (options.open.empty() && has_controllers(options.path))
    throw Error(
        fmt::format("'{}' has controllers, which act on the linearized model; this verb works on the mechanism "
                    "alone: --open all studies it without them",
                    options.path));
}

}  // namespace stillpoint::cli
