#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "base/usual_requests.h"
#include "cli/arguments.h"
#include "cli/controllers.h"
#include "cli/mode_options.h"
#include "cli/option_groups.h"
#include "cli/progress_line.h"
#include "cli/variations.h"
#include "stillpoint/error.h"
#include "stillpoint/find_modes.h"
#include "stillpoint/linearize.h"
#include "stillpoint/response_rates.h"
#include "stillpoint/sensitivity.h"

namespace stillpoint::cli {

namespace {

struct SensitivityArguments : RestOptions {
  std::vector<std::string> parameters;
  Index count = usual::sensitive_modes;
  std::optional<Index> mode;
  std::vector<std::string> responses, gains;
  SensitivityPrint print;
};

// "INPUT:OUTPUT".
ResponseRequest channels_in(const std::string& option, const std::string& text, const char* meant) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == text.size())
    throw Error(fmt::format("{} {}: {} is meant", option, text, meant));
  return {text.substr(0, colon), text.substr(colon + 1)};
}

// "INPUT:OUTPUT@HERTZ".
ResponseRequest response_in(const std::string& text) {
  constexpr const char* meant = "INPUT:OUTPUT@HERTZ, such as motor:shaft@3,";
  const std::size_t place = text.rfind('@');
  const auto frequency = place == std::string::npos ? std::nullopt : setting_in("f=" + text.substr(place + 1));
  if (!frequency || !(frequency->second > 0)) throw Error(fmt::format("--response {}: {} is meant", text, meant));
  ResponseRequest request = channels_in("--response", text.substr(0, place), meant);
  request.omega = 2 * std::numbers::pi * frequency->second;
  return request;
}

std::vector<ResponseRequest> responses_asked_for(const SensitivityArguments& options) {
  std::vector<ResponseRequest> requests;
  for (const std::string& list : options.gains) {
    for (const std::string& text : split_names(list))
      requests.push_back(channels_in("--dc-gain", text, "INPUT:OUTPUT, such as motor:shaft,"));
  }
  for (const std::string& list : options.responses) {
    for (const std::string& text : split_names(list)) requests.push_back(response_in(text));
  }
  return requests;
}

ModesWithRates modes_asked_for(const SensitivityArguments& options, const LinearSystem& system,
                               ProgressLine& progress) {
  const ModesWithRates lowest = lowest_modes(system, options.mode.value_or(options.count), progress.sink());
  if (!options.mode) return lowest;
  if (static_cast<std::size_t>(*options.mode) > lowest.modes.size())
    throw Error(fmt::format("--mode {}: the mechanism has {} modes", *options.mode, lowest.modes.size()));
  return equal_modes(lowest, *options.mode);
}

template <class Parameters>
void conclude(const Parameters& parameters) {
  if (!std::all_of(parameters.begin(), parameters.end(), [](const auto& one) { return one.refused.empty(); }))
    throw CLI::RuntimeError(numerics_failed);
}

void report_responses(const SensitivityArguments& options, const std::vector<ResponseRequest>& requests,
                      const Model& model, const Equilibrium& rest, const LinearSystem& system,
                      const std::vector<Variation>& parameters) {
  ProgressLine progress(!options.quiet);
  const ResponseSensitivity found = find_response_sensitivity(system, rest, requests, parameters, progress.sink());
  progress.clear();
  deliver(options, options.json ? to_json(found, model.name()) : to_text(found, options.print.most_rows));
  conclude(found.parameters);
}

void report_modes(const SensitivityArguments& options, const Model& model, const Equilibrium& rest,
                  const LinearSystem& system, const std::vector<Variation>& parameters) {
  ProgressLine progress(!options.quiet);
  const ModesWithRates asked = modes_asked_for(options, system, progress);
  Sensitivity found = find_sensitivity(system, rest, asked.modes, parameters, progress.sink());
  found.first_mode = asked.first;
  progress.clear();
  deliver(options, options.json ? to_json(found, model) : to_text(found, model, options.print));
  warn(options, asked.warnings);
  conclude(found.parameters);
}

void run(const SensitivityArguments& options) {
  const std::vector<ResponseRequest> requests = responses_asked_for(options);
  const ModelFamily family = family_of(options);
  Guess guess = load_guess(options);
  hold(options, guess);
  require_no_preload(guess);
  const Equilibrium rest = find_at_rest(guess);
  const LinearSystem system = linearize(guess.model, rest);
  const std::vector<Variation> parameters = variations_called(options.parameters, family, guess.model);
  if (requests.empty()) report_modes(options, guess.model, rest, system, parameters);
  else report_responses(options, requests, guess.model, rest, system, parameters);
}

}  // namespace

void add_sensitivity(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("sensitivity", "which parameters move the modes, and by how much");
  verb->description(
      "Examples:\n"
      "  stillpoint sensitivity cases/four_bar\n"
      "  stillpoint sensitivity cases/governor --mode 2 --parameters m,k,l\n"
      "  stillpoint sensitivity cases/four_bar --parameters k,diagonal[1].damping --json\n"
      "  stillpoint sensitivity cases/drive_train --response motor:shaft@3\n\n"
      "What does 1 % more of each parameter do to frequencies, decay rates and damping ratios? The parameters that\n"
      "matter most come first. A parameter also moves the equilibrium, which changes frequencies too; the column 'at\n"
      "fixed rest' is what is left without that. With --response and --dc-gain: what it does to the response from an\n"
      "input to an output, instead. Ends with exit code 1 if a parameter that was asked for has no "
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
  CLI::Option* const mode =
      verb->add_option("--mode", options->mode, "only this mode: its number in the order of frequencies")
          ->group(group::which_modes)
          ->excludes(count)
          ->check(CLI::Range(1, 100000));
  CLI::Option* const response =
      verb->add_option(
              "--response", options->responses,
              "the response from an input to an output at a frequency (Hz), INPUT:OUTPUT@HERTZ, several with commas "
              "between them; a coordinate stands for a force on it, or for its motion")
          ->group(group::channels)
          ->excludes(count)
          ->excludes(mode)
          ->type_name("INPUT:OUTPUT@HERTZ,...");
  CLI::Option* const gain =
      verb->add_option("--dc-gain", options->gains,
                       "the same at frequency zero: how far an output moves with a constant input")
          ->group(group::channels)
          ->excludes(count)
          ->excludes(mode)
          ->type_name("INPUT:OUTPUT,...");
  verb->add_option("--rows", options->print.most_rows, "parameters listed for each mode (default: 10)")
      ->group(group::output)
      ->check(CLI::PositiveNumber);
  verb->add_flag("--equilibrium", options->print.equilibrium, "also list how far the coordinates move")
      ->group(group::output)
      ->excludes(response)
      ->excludes(gain);
  verb->callback([options] { run(*options); });
}

}  // namespace stillpoint::cli
