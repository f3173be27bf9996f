#include <fmt/format.h>

#include "base/usual_requests.h"
#include "cli/controllers.h"
#include "cli/mode_options.h"
#include "cli/option_groups.h"
#include "cli/progress_line.h"
#include "stillpoint/error.h"
#include "stillpoint/find_modes.h"
#include "stillpoint/verify_modes.h"

namespace stillpoint::cli {

namespace {

struct VerifyArguments : RestOptions {
  std::optional<Index> count;
  bool all = false;
  double amplitude = VerifyOptions().amplitude;
};

struct Outcome {
  Verification verification;
  std::vector<std::string> warnings;
};

Outcome on_branches(const Model& model, const Equilibrium& rest, const LinearSystem& system, const VerifyOptions& how) {
  const std::vector<BranchSpectrum> spectra = solve_branches(system);
  Outcome outcome{verify_branches(model, rest, system, spectra, how), {}};
  for (const BranchSpectrum& branch : spectra) {
    for (const std::string& warning : branch.spectrum.warnings)
      outcome.warnings.push_back(fmt::format("branch '{}': {}", branch.name, warning));
  }
  return outcome;
}

Outcome outcome_of(const VerifyArguments& options, const Model& model, const Equilibrium& rest,
                   ProgressLine& progress) {
  const LinearSystem system = linearize(model, rest);
  const Index count = options.count.value_or(usual::verified_modes);
  VerifyOptions how{.amplitude = options.amplitude, .progress = progress.sink()};
  if (!options.all) how.most_modes = static_cast<std::size_t>(count);
  if (system.singular) return on_branches(model, rest, system, how);
  AnalysisOptions search;
  if (!options.all) search.modes.which = Lowest{count};
  search.modes.progress = progress.sink();
  const FoundModes found = find_modes(system, Method::mcs, search);
  how.most_modes = VerifyOptions().most_modes;
  return {verify_modes(model, rest, system, found.spectrum, how), found.spectrum.warnings};
}

void run(const VerifyArguments& options) {
  refuse_controllers(options);
  Guess guess = load_guess(options);
  hold(options, guess);
  const Equilibrium rest = find_at_rest(guess);
  ProgressLine progress(!options.quiet);
  const auto [verification, warnings] = outcome_of(options, guess.model, rest, progress);
  progress.clear();
  deliver(options, options.json ? to_json(verification, guess.model.name()) : to_text(verification));
  warn(options, warnings);
  if (verification.agrees()) return;
  print_message(fmt::format("{} of {} modes disagree with the motion of the mechanism",
                            verification.done - verification.agreeing, verification.done));
  throw CLI::RuntimeError(check_failed);
}

}  // namespace

void add_verify(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("verify", "the truth test: modes beside the motion of the mechanism");
  verb->description(
      "Examples:\n"
      "  stillpoint verify cases/four_bar --set N=5\n"
      "  stillpoint verify cases/sleeping_top --all --json\n\n"
      "Does the mechanism move as its modes say?\n"
      "Starts the nonlinear mechanism on each mode, follows it for a period or until it has grown or decayed tenfold,\n"
      "and compares the eigenvalue that the motion shows with that of the linear system. At a singular configuration\n"
      "the modes of each branch are followed. Ends with exit code 6 if one of them disagrees beyond what the order of\n"
      "the test explains.");
  auto options = std::make_shared<VerifyArguments>();
  add_model_options(*verb, *options);
  add_rest_options(*verb, *options);
  add_open_option(*verb, *options, without_controllers);
  CLI::Option* const count =
      verb->add_option("--count", options->count, "number of modes, the lowest first (default: 3)")
          ->group(group::which_modes)
          ->check(CLI::Range(1, 100000));
  verb->add_flag("--all", options->all, "all modes")->group(group::which_modes)->excludes(count);
  verb->add_option("--amplitude", options->amplitude,
                   "how far the mechanism is displaced: the largest turn (rad), or displacement relative to its size")
      ->group(group::method)
      ->check(CLI::Range(1e-6, 0.5));
  verb->callback([options] { run(*options); });
}

}  // namespace stillpoint::cli
