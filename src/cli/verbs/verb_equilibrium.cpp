#include <fmt/format.h>

#include <algorithm>

#include "cli/option_groups.h"
#include "cli/rest_options.h"
#include "stillpoint/equilibrium.h"
#include "stillpoint/error.h"

namespace stillpoint::cli {

namespace {

struct Options : RestOptions {
  std::vector<std::string> trim;
  bool several = false, assert_stable = false, all_coordinates = false;
  int starts = SearchOptions().starts;
  unsigned seed = SearchOptions().seed;
};

Index input_called(const Model& model, const std::string& name) {
  std::vector<std::string> known;
  for (Index i = 0; i < model.inputs(); ++i) known.push_back(model.input_name(i));
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end()) throw Error(fmt::format("there is no input '{}'{}", name, did_you_mean(name, known)));
  return static_cast<Index>(found - known.begin());
}

void trim(const Options& options, const Guess& guess) {
  TrimOptions how;
  how.precision = options.precision;
  for (const std::string& name : options.trim) {
    if (!name.empty()) how.inputs.push_back(input_called(guess.model, name));  // empty: --trim alone
  }
  const Trim found = find_trim(guess.model, guess.point.state, how);
  deliver(options, options.json ? to_json(guess.model, found, {options.all_coordinates}) : to_text(guess.model, found));
  if (!found.balanced) throw CLI::RuntimeError(numerics_failed);
}

void several(const Options& options, const Guess& guess) {
  SearchOptions how;
  static_cast<EquilibriumOptions&>(how) = guess.how;
  how.held = {};  // the starts are random
  how.starts = options.starts;
  how.seed = options.seed;
  const std::vector<Equilibrium> found = find_equilibria(guess.model, guess.point.state, how);
  deliver(options, options.json ? to_json(guess.model, found, {options.all_coordinates}) : to_text(guess.model, found));
  if (found.empty()) throw CLI::RuntimeError(numerics_failed);
}

void one(const Options& options, const Guess& guess) {
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
  auto options = std::make_shared<Options>();
  add_model_options(*verb, *options);
  add_rest_options(*verb, *options);
  verb->add_flag("--equilibria", options->several, "search for several equilibria, from random starts")
      ->group(group::equilibria);
  verb->add_option("--starts", options->starts, "number of random starts for --equilibria")
      ->group(group::equilibria)
      ->check(CLI::Range(0, 1000000));
  verb->add_option("--seed", options->seed, "seed of the random starts for --equilibria")->group(group::equilibria);
  CLI::Option* const trims =
      verb->add_option("--trim", options->trim,
                       "find values of inputs that balance the configuration: of the inputs named, or of "
                       "all inputs if --trim is the last argument")
          ->group(group::equilibria)
          ->delimiter(',')
          ->expected(0, 1)
          ->type_name("INPUT,...");
  verb->add_flag("--assert-stable", options->assert_stable, "end with exit code 6 unless the equilibrium is stable")
      ->group(group::checks);
  verb->add_flag("--all-coordinates", options->all_coordinates,
                 "with --json: list all coordinates and constraints, not only the first 200")
      ->group(group::output);
  verb->callback([options, trims] {
    const Guess guess = load_guess(*options);
    if (trims->count() > 0) trim(*options, guess);
    else if (options->several) several(*options, guess);
    else one(*options, guess);
  });
}

}  // namespace stillpoint::cli
