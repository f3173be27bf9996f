#include "stillpoint/equilibrium.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/rest_options.h"
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

bool passes_as_stable(const Equilibrium& rest) {
  return rest.status == RestStatus::at_rest &&
         (rest.verdict == "stable (conservative)" || rest.verdict == "asymptotically stable");
}

void warn(const Options& options, const std::vector<std::string>& warnings) {
  if (options.quiet || (!options.json && options.output.empty())) return;
  for (const std::string& warning : warnings) fmt::print(stderr, "warning: {}\n", warning);
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
  how.held = {};  // every start is elsewhere
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
  if (rest.status != RestStatus::at_rest) {
    if (options.json || !options.output.empty()) fmt::print(stderr, "{}\n", rest.message);
    throw CLI::RuntimeError(numerics_failed);
  }
  if (options.assert_stable && !passes_as_stable(rest)) {
    fmt::print(stderr, "--assert-stable: the verdict is '{}'\n", rest.verdict);
    throw CLI::RuntimeError(check_failed);
  }
}

}  // namespace

void add_equilibrium(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("equilibrium", "where does it rest, and is that stable?");
  verb->description(
      "Examples:\n"
      "  stillpoint equilibrium cases/four_bar --set N=5\n"
      "  stillpoint equilibrium cases/four_bar --at phi=1.4 --rest nearest\n"
      "  stillpoint equilibrium cases/four_bar --equilibria --json\n"
      "  stillpoint equilibrium cases/cart_pole --trim u\n\n"
      "Where does it rest, and is that stable? Finds the rest position, counts its unstable directions, and says "
      "which\n"
      "constraints are redundant, whether the configuration is singular, and what can move from there.");
  auto options = std::make_shared<Options>();
  add_model_options(*verb, *options);
  add_rest_options(*verb, *options);
  verb->add_flag("--equilibria", options->several, "search for several, from seeded starts");
  verb->add_option("--starts", options->starts, "how many starts for --equilibria")->check(CLI::Range(0, 1000000));
  verb->add_option("--seed", options->seed, "of the starts");
  CLI::Option* const trims =
      verb->add_option("--trim", options->trim,
                       "find inputs that hold the configuration: all (then it stands last), or these (NAME,...)")
          ->delimiter(',')
          ->expected(0, 1)
          ->type_name("INPUT,...");
  verb->add_flag("--assert-stable", options->assert_stable, "exit with 6 unless it is stable");
  verb->add_flag("--all-coordinates", options->all_coordinates, "with --json: also those beyond the first 200");
  verb->callback([options, trims] {
    const Guess guess = load_guess(*options);
    if (trims->count() > 0) trim(*options, guess);
    else if (options->several) several(*options, guess);
    else one(*options, guess);
  });
}

}  // namespace stillpoint::cli
