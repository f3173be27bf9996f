#include <fmt/format.h>

#include <algorithm>

#include "base/usual_requests.h"
#include "cli/controllers.h"
#include "cli/mode_options.h"
#include "cli/option_groups.h"
#include "cli/progress_line.h"
#include "cli/variations.h"
#include "stillpoint/error.h"
#include "stillpoint/find_modes.h"
#include "stillpoint/linearize.h"
#include "stillpoint/sensitivity.h"

namespace stillpoint::cli {

namespace {

struct SensitivityArguments : RestOptions {
  std::vector<std::string> parameters;
  Index count = usual::sensitive_modes;
  std::optional<Index> mode;
  SensitivityPrint print;
};

ModesWithRates modes_asked_for(const SensitivityArguments& options, const LinearSystem& system,
                               ProgressLine& progress) {
  const ModesWithRates lowest = lowest_modes(system, options.mode.value_or(options.count), progress.sink());
  if (!options.mode) return lowest;
  if (static_cast<std::size_t>(*options.mode) > lowest.modes.size())
    throw Error(fmt::format("--mode {}: the mechanism has {} modes", *options.mode, lowest.modes.size()));
  return equal_modes(lowest, *options.mode);
}

void run(const SensitivityArguments& options) {
  const ModelFamily family = family_of(options);
  Guess guess = load_guess(options);
  hold(options, guess);
  require_no_preload(guess);
  const Equilibrium rest = find_at_rest(guess);
  const LinearSystem system = linearize(guess.model, rest);
  ProgressLine progress(!options.quiet);
  const ModesWithRates asked = modes_asked_for(options, system, progress);
  Sensitivity found =
      find_sensitivity(system, rest, asked.modes, variations_called(options.parameters, family, guess.model));
  found.first_mode = asked.first;
  progress.clear();
  deliver(options, options.json ? to_json(found, guess.model) : to_text(found, guess.model, options.print));
  warn(options, asked.warnings);
  if (!std::all_of(found.parameters.begin(), found.parameters.end(),
                   [](const ParameterSensitivity& one) { return one.refused.empty(); }))
    throw CLI::RuntimeError(numerics_failed);
}

}  // namespace

void add_sensitivity(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("sensitivity", "which parameters move the modes, and by how much");
  verb->description(
      "Examples:\n"
      "  stillpoint sensitivity cases/four_bar\n"
      "  stillpoint sensitivity cases/governor --mode 2 --parameters m,k,l\n"
      "  stillpoint sensitivity cases/four_bar --parameters k,diagonal[1].damping --json\n\n"
      "What does 1 % more of each parameter do to frequencies, decay rates and damping ratios? The parameters that\n"
      "matter most come first. A parameter also moves the equilibrium, which changes frequencies too; the column 'at\n"
      "fixed rest' is what is left without that. Ends with exit code 1 if a parameter that was asked for has no "
      "rates.");
  auto options = std::make_shared<SensitivityArguments>();
  add_model_options(*verb, *options);
  add_rest_options(*verb, *options);
  add_open_option(*verb, *options, without_controllers);
  verb->add_option("--parameters", options->parameters,
                   "parameters of the model, inputs as input:NAME, and numbers of elements as NAME.FIELD (default: all "
                   "parameters that do not count things)")
      ->group(group::which_modes)
      ->type_name("NAME,...");
  CLI::Option* const count =
      verb->add_option("--count", options->count, "number of modes, the lowest first (default: 3)")
          ->group(group::which_modes)
          ->check(CLI::Range(1, 100000));
  verb->add_option("--mode", options->mode, "only this mode: its number in the order of frequencies")
      ->group(group::which_modes)
      ->excludes(count)
      ->check(CLI::Range(1, 100000));
  verb->add_option("--rows", options->print.most_rows, "parameters listed for each mode (default: 10)")
      ->group(group::output)
      ->check(CLI::PositiveNumber);
  verb->add_flag("--equilibrium", options->print.equilibrium, "also list how far the coordinates move")
      ->group(group::output);
  verb->callback([options] { run(*options); });
}

}  // namespace stillpoint::cli
