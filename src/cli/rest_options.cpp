#include "cli/rest_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <utility>

#include "base/read_text.h"
#include "base/stopwatch.h"
#include "cli/arguments.h"
#include "cli/controllers.h"
#include "cli/option_groups.h"
#include "stillpoint/error.h"
#include "stillpoint/linearize.h"
#include "stillpoint/stability.h"

namespace stillpoint::cli {

namespace {

constexpr std::size_t largest_guess = 2'000'000'000;  // bytes

EquilibriumRequest kind_of(const std::string& word) {
  if (word == "nearest") return EquilibriumRequest::nearest;
  return word == "check" ? EquilibriumRequest::check : EquilibriumRequest::stable;
}

void require_rank(std::optional<Index> rank, Index constraints, Index coordinates) {
  const Index most = std::min(coordinates, constraints);
  if (rank && *rank > most)
    throw Error(fmt::format("--rank {}: a Jacobian of {} constraints and {} coordinates has a rank of {} at most",
                            *rank, constraints, coordinates, most));
}

/// Reads lines NAME = VALUE, which may be empty or end with a comment.
Settings read_guess(const std::string& path) {
  Settings guesses;
  std::istringstream text(read_text(path, largest_guess));
  std::string line;
  for (int number = 1; std::getline(text, line); ++number) {
    std::string words = line.substr(0, line.find('#'));
    std::erase_if(words, [](unsigned char c) { return std::isspace(c); });
    if (words.empty()) continue;
    const auto guess = setting_in(words);
    if (!guess)
      throw Error(
          fmt::format("{}:{}: '{}' is not NAME = VALUE with a number, such as 'crank.phi = 1.5'", path, number, line));
    guesses.push_back(*guess);
  }
  return guesses;
}

// These options need a model, which a folder of matrices does not have.
void require_no_model_options(const SystemOptions& options) {
  const auto refuse = [&](const char* option) {
    throw Error(
        fmt::format("{}: {} is a folder of matrices; there is no model to which this applies", option, options.path));
  };
  if (!options.settings.empty()) refuse("--set");
  if (!options.at.empty()) refuse("--at");
  if (options.trims()) refuse("--trim");
  if (!options.preload.empty()) refuse("--preload");
  if (!options.guess.empty()) refuse("--guess");
  if (options.rest != RestOptions().rest) refuse("--rest");
  if (options.off_equilibrium) refuse("--off-equilibrium");
  if (!options.open.empty()) refuse("--open");
}

[[noreturn]] void refuse_to_hold(const std::string& message) {
  print_message(message);
  throw CLI::RuntimeError(numerics_failed);
}

/// The guess with what holds it is the equilibrium, whether or not it is stable.
void rest_at(const State& state, Guess& guess) {
  guess.point.state = state;
  guess.how.rest = EquilibriumRequest::nearest;
  guess.how.held = {};
}

void hold_by_inputs(const RestOptions& options, Guess& guess) {
  const Trim found = find_trim(guess.model, guess.point.state, trim_options(options, guess.model));
  if (!found.balanced) refuse_to_hold(found.message);
  rest_at(found.state, guess);
  for (const Index input : found.inputs)
    guess.trim.emplace_back(guess.model.input_name(input), found.state.u[input] + 0.0);
}

void hold_by_springs(const RestOptions& options, Guess& guess) {
  const Preload found =
      find_preload(guess.model, guess.point.state, {.elements = options.preload, .precision = options.precision});
  if (!found.balanced) refuse_to_hold(found.message);
  guess.model = found.model;
  rest_at(found.state, guess);
  for (const ElementNumber& number : found.numbers)
    guess.preload.emplace_back(guess.model.name_of(number), number.value + 0.0);
}

AnalysisCase load_matrices(const SystemOptions& options) {
  require_no_model_options(options);
  const Stopwatch reading;
  AnalysisCase loaded{read_linear_system(options.path, {.rank = options.rank})};
  loaded.read_seconds = reading.seconds();
  loaded.linearize_seconds = 0;
  return loaded;
}

AnalysisCase load_model(const SystemOptions& options) {
  const Stopwatch reading;
  Guess guess = load_guess(options);
  hold(options, guess);
  const double read_seconds = reading.seconds();
  Equilibrium rest = find(guess);
  if (rest.status != EquilibriumStatus::at_rest && !options.off_equilibrium) {
    print_message(rest.message);
    throw CLI::RuntimeError(numerics_failed);
  }
  const Stopwatch linearizing;
  AnalysisCase loaded{linearize(guess.model, rest, {.off_equilibrium = options.off_equilibrium}), guess.model,
                      std::move(rest)};
  loaded.rest->perturbed = {};  // their matrices are in the system
  loaded.controllers = chosen_controllers(options, guess.model, options.breaks_loops);
  if (!loaded.controllers.empty()) loaded.system = closed_by(options, loaded.system, loaded.controllers);
  loaded.read_seconds = read_seconds;
  loaded.linearize_seconds = linearizing.seconds();
  return loaded;
}

}  // namespace

void add_rest_options(CLI::App& verb, RestOptions& options) {
  verb.add_option("--rest", options.rest,
                  "equilibrium to find. stable: one that is not unstable; nearest: the solution that "
                  "Newton's method reaches from the guess; check: the guess itself, which is only tested")
      ->group(group::operating_point)
      ->check(CLI::IsMember({"stable", "nearest", "check"}));
  verb.add_option("--guess", options.guess,
                  "file with guesses for coordinates, one NAME = VALUE a line, as 'check --assemble' writes it; "
                  "--at has precedence")
      ->group(group::operating_point)
      ->type_name("FILE");
  verb.add_option("--at", options.at, "guess for a coordinate, or value of an input (repeatable)")
      ->group(group::operating_point)
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  CLI::Option* const trim =
      verb.add_option("--trim", options.trim,
                      "hold the guess by inputs: of those named, or of all inputs if --trim is the "
                      "last argument, find the values that make it an equilibrium");
  trim->group(group::operating_point)->delimiter(',')->expected(0, 1)->type_name("INPUT,...");
  options.trim_option = trim;
  verb.add_option("--preload", options.preload,
                  "hold the guess by springs: find the free lengths and angles of those named that make it an "
                  "equilibrium (default: those with 'preload: true' in the model)")
      ->group(group::operating_point)
      ->delimiter(',')
      ->type_name("SPRING,...");
  verb.add_option("--rank", options.rank, "rank of the constraint Jacobian (default: decided numerically)")
      ->group(group::operating_point)
      ->check(CLI::NonNegativeNumber);
  verb.add_option("--precision", options.precision,
                  "residual, relative to lengths, that rounded geometry may leave in redundant constraints")
      ->group(group::operating_point)
      ->check(CLI::Range(0.0, 0.1));
}

Guess load_guess(const RestOptions& options) {
  const Model model = load(options);
  require_rank(options.rank, model.constraints(), model.coordinates());
  Settings settings = parse_settings("--at", options.at);
  OperatingPoint point = operating_point(model, settings);
  std::vector<Index> held = point.coordinates;
  if (!options.guess.empty()) {
    const Settings guesses = read_guess(options.guess);
    settings.insert(settings.end(), guesses.begin(), guesses.end());  // of two values for one name the first counts
    point = operating_point(model, settings);
  }
  EquilibriumOptions how;
  how.rest = kind_of(options.rest);
  how.precision = options.precision;
  how.rank = options.rank;
  how.held = std::move(held);
  return {model, std::move(point), std::move(how)};
}

TrimOptions trim_options(const RestOptions& options, const Model& model) {
  TrimOptions how;
  how.precision = options.precision;
  for (const std::string& name : options.trim) {
    if (!name.empty()) how.inputs.push_back(input_called(model, name));  // empty: --trim alone
  }
  return how;
}

void hold(const RestOptions& options, Guess& guess) {
  const bool preloads = !options.preload.empty() || !guess.model.preloaded().empty();
  if (options.trims() && preloads)
    throw Error(
        "--trim and preload both hold the guess, one by inputs and one by springs: leave one of them out (springs with "
        "'preload: true' in the model count)");
  if (options.trims()) hold_by_inputs(options, guess);
  if (preloads) hold_by_springs(options, guess);
}

Equilibrium find(const Guess& guess) {
  Equilibrium rest = find_equilibrium(guess.model, guess.point.state, guess.how);
  rest.trim = guess.trim;
  rest.preload = guess.preload;
  return rest;
}

Equilibrium find_at_rest(const Guess& guess) {
  Equilibrium rest = find(guess);
  if (rest.status == EquilibriumStatus::at_rest) return rest;
  print_message(rest.message);
  throw CLI::RuntimeError(numerics_failed);
}

Index input_called(const Model& model, const std::string& name, const std::string& asks) {
  std::vector<std::string> known;
  for (Index i = 0; i < model.inputs(); ++i) known.push_back(model.input_name(i));
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end())
    throw Error(fmt::format("{}there is no input '{}'{}", asks, name, did_you_mean(name, known)));
  return static_cast<Index>(found - known.begin());
}

bool passes_as_stable(std::string_view verdict) {
  return verdict == to_words(Stability::stable) || verdict == to_words(Stability::asymptotically_stable);
}

void add_system_options(CLI::App& verb, SystemOptions& options) {
  add_rest_options(verb, options);
  add_open_option(verb, options, "leave the loop of this controller open (repeatable); all: without controllers");
  verb.add_flag("--off-equilibrium", options.off_equilibrium,
                "linearize although the model is not in equilibrium; the unbalanced forces are ignored")
      ->group(group::operating_point);
}

AnalysisCase load_system(const SystemOptions& options) {
  return is_matrix_folder(options.path) ? load_matrices(options) : load_model(options);
}

}  // namespace stillpoint::cli
