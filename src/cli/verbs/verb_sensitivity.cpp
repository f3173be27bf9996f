#include <fmt/format.h>

#include <algorithm>

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
  Index count = 3;
  std::optional<Index> mode;
  SensitivityPrint print;
};

/// The lowest modes, one of each conjugate pair; of equal ones all, since they separate together.
std::vector<Mode> lowest_modes(Index count, const LinearSystem& system, ProgressLine& progress,
                               std::vector<std::string>& warnings) {
  constexpr Index more = 12;  // copies of the last one that are looked for
  AnalysisOptions search;
  search.modes.which = Lowest{count + more};
  search.modes.progress = progress.sink();
  search.modes.spurious = false;
  const Spectrum found = find_modes(system, Method::mcs, search).spectrum;
  warnings = found.warnings;
  std::vector<Mode> modes;
  for (const Mode& mode : found.modes) {
    if (mode.kind != ModeClass::genuine || mode.is_infinite() || mode.s.imag() < 0) continue;
    if (static_cast<Index>(modes.size()) >= count && !are_copies(modes.back(), mode)) break;
    modes.push_back(mode);
  }
  return modes;
}

struct AskedFor {
  std::vector<Mode> modes;
  std::size_t first = 0;
};

AskedFor modes_asked_for(const SensitivityArguments& options, const LinearSystem& system, ProgressLine& progress,
                         std::vector<std::string>& warnings) {
  const std::vector<Mode> modes = lowest_modes(options.mode.value_or(options.count), system, progress, warnings);
  if (!options.mode) return {modes, 0};
  if (static_cast<std::size_t>(*options.mode) > modes.size())
    throw Error(fmt::format("--mode {}: the mechanism has {} modes", *options.mode, modes.size()));
  const Mode& chosen = modes[static_cast<std::size_t>(*options.mode) - 1];
  const auto is_copy = [&](const Mode& mode) { return are_copies(chosen, mode); };
  AskedFor copies;
  copies.first = static_cast<std::size_t>(std::find_if(modes.begin(), modes.end(), is_copy) - modes.begin());
  std::copy_if(modes.begin(), modes.end(), std::back_inserter(copies.modes), is_copy);
  return copies;
}

void run(const SensitivityArguments& options) {
  const ModelFamily family = family_of(options);
  Guess guess = load_guess(options);
  hold(options, guess);
  require_no_preload(guess);
  const Equilibrium rest = find_at_rest(guess);
  const LinearSystem system = linearize(guess.model, rest);
  ProgressLine progress(!options.quiet);
  std::vector<std::string> warnings;
  const AskedFor asked = modes_asked_for(options, system, progress, warnings);
  Sensitivity found =
      find_sensitivity(system, rest, asked.modes, variations_called(options.parameters, family, guess.model));
  found.first_mode = asked.first;
  progress.clear();
  deliver(options, options.json ? to_json(found, guess.model) : to_text(found, guess.model, options.print));
  warn(options, warnings);
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
