#include <fmt/format.h>

#include "cli/option_groups.h"
#include "cli/rest_options.h"
#include "stillpoint/equilibrium.h"
#include "stillpoint/error.h"

namespace stillpoint::cli {

namespace {

struct EquilibriumArguments : RestOptions {
  bool several = false, each = false, assert_stable = false, all_coordinates = false;
  int starts = SearchOptions().starts;
  unsigned seed = SearchOptions().seed;
};

void trim(const EquilibriumArguments& options, const Guess& guess) {
  const Trim found = find_trim(guess.model, guess.point.state, trim_options(options, guess.model));
  deliver(options, options.json ? to_json(guess.model, found, {options.all_coordinates}) : to_text(guess.model, found));
  if (!found.balanced) throw CLI::RuntimeError(numerics_failed);
}

void several(const EquilibriumArguments& options, const Guess& guess) {
  SearchOptions how;
  static_cast<EquilibriumOptions&>(how) = guess.how;
  how.held = {};  // the starts are random
  how.starts = options.starts;
  how.seed = options.seed;
  const std::vector<Equilibrium> found = find_equilibria(guess.model, guess.point.state, how);
  deliver(options, options.json ? to_json(guess.model, found, {options.all_coordinates})
                                : to_text(guess.model, found, options.each));
  if (found.empty()) throw CLI::RuntimeError(numerics_failed);
}

void one(const EquilibriumArguments& options, const Guess& guess) {
  const Equilibrium rest = find(guess);
  deliver(options, options.json ? to_json(guess.model, rest, {options.all_coordinates}) : to_text(guess.model, rest));
  warn(options, rest.warnings);
  if (rest.status != EquilibriumStatus::at_rest) {
    if (options.json || !options.output.empty()) print_message(rest.message);
    throw CLI::RuntimeError(numerics_failed);
  }
  if (options.assert_stable && !passes_as_stable(rest.verdict)) {
    print_message(fmt::format("--assert-stable: the verdict is '{}'", rest.verdict));
    throw CLI::RuntimeError(check_failed);
  }
}

}  // namespace

void add_equilibrium(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("equilibrium", "the equilibrium and its stability");
  verb->description(
      "Examples:\n"
      "  stillpoint equilibrium cases/four_bar --set N=5\n"
      "  stillpoint equilibrium cases/four_bar --at phi=1.4 --rest nearest\n"
      "  stillpoint equilibrium cases/four_bar --equilibria --json\n"
      "  stillpoint equilibrium cases/cart_pole --trim u\n\n"
      "Finds the equilibrium of a model and judges its stability. The report counts the unstable directions, and says\n"
      "which constraints are redundant, whether the configuration is singular, and which motions are possible there.");
  auto options = std::make_shared<EquilibriumArguments>();
  add_model_options(*verb, *options);
  add_rest_options(*verb, *options);
  verb->add_flag("--equilibria", options->several, "search for several equilibria, from random starts")
      ->group(group::equilibria);
  verb->add_flag("--each", options->each, "list every member of a family of equilibria that --equilibria finds")
      ->group(group::equilibria);
  verb->add_option("--starts", options->starts, "number of random starts for --equilibria")
      ->group(group::equilibria)
      ->check(CLI::Range(0, 1000000));
  verb->add_option("--seed", options->seed, "seed of the random starts for --equilibria")->group(group::equilibria);
  verb->add_flag("--assert-stable", options->assert_stable, "end with exit code 6 unless the equilibrium is stable")
      ->group(group::checks);
  verb->add_flag("--all-coordinates", options->all_coordinates,
                 "with --json: list all coordinates and constraints, not only the first 200")
      ->group(group::output);
  verb->callback([options] {
    Guess guess = load_guess(*options);
    if (options->trims()) return trim(*options, guess);
    hold(*options, guess);
    if (options->several) several(*options, guess);
    else one(*options, guess);
  });
}

}  // namespace stillpoint::cli
