#include "cli/rest_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/stopwatch.h"
#include "stillpoint/error.h"
#include "stillpoint/linearize.h"

namespace stillpoint::cli {

namespace {

RestKind kind_of(const std::string& word) {
  if (word == "nearest") return RestKind::nearest;
  return word == "check" ? RestKind::check : RestKind::stable;
}

void require_rank(std::optional<Index> rank, Index constraints, Index coordinates) {
  const Index most = std::min(coordinates, constraints);
  if (rank && *rank > most)
    throw Error(fmt::format("--rank {}: a Jacobian of {} constraints and {} coordinates has a rank of {} at most",
                            *rank, constraints, coordinates, most));
}

// Nothing in a folder of matrices can be set, moved or searched for.
void require_no_model_options(const SystemOptions& options) {
  const auto refuse = [&](const char* option) {
    throw Error(fmt::format("{}: {} is a folder of matrices, in which there is no model to apply this to", option,
                            options.path));
  };
  if (!options.settings.empty()) refuse("--set");
  if (!options.at.empty()) refuse("--at");
  if (options.rest != RestOptions().rest) refuse("--rest");
  if (options.off_equilibrium) refuse("--off-equilibrium");
}

LoadedSystem load_matrices(const SystemOptions& options) {
  require_no_model_options(options);
  const Stopwatch reading;
  LoadedSystem loaded{read_linear_system(options.path, {.rank = options.rank}), {}, {}};
  loaded.read_seconds = reading.seconds();
  return loaded;
}

LoadedSystem load_model(const SystemOptions& options) {
  const Stopwatch reading;
  const Guess guess = load_guess(options);
  const double read_seconds = reading.seconds();
  Equilibrium rest = find(guess);
  if (rest.status != RestStatus::at_rest && !options.off_equilibrium) {
    fmt::print(stderr, "{}\n", rest.message);
    throw CLI::RuntimeError(numerics_failed);
  }
  const Stopwatch linearizing;
  LoadedSystem loaded{linearize(guess.model, rest, {.off_equilibrium = options.off_equilibrium}), guess.model,
                      std::move(rest)};
  loaded.read_seconds = read_seconds;
  loaded.linearize_seconds = linearizing.seconds();
  return loaded;
}

}  // namespace

void add_rest_options(CLI::App& verb, RestOptions& options) {
  verb.add_option("--rest", options.rest,
                  "stable: leave unstable positions; nearest: Newton's nearest; check: only look at the guess")
      ->check(CLI::IsMember({"stable", "nearest", "check"}));
  verb.add_option("--at", options.at, "NAME=VALUE: guess for a coordinate, or the value of an input (repeatable)")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  verb.add_option("--rank", options.rank, "of the constraint Jacobian, instead of deciding it")
      ->check(CLI::NonNegativeNumber);
  verb.add_option("--precision", options.precision,
                  "how far rounded geometry may leave redundant constraints open, relative to lengths")
      ->check(CLI::Range(0.0, 0.1));
}

Guess load_guess(const RestOptions& options) {
  const Model model = load(options);
  require_rank(options.rank, model.constraints(), model.coordinates());
  OperatingPoint point = operating_point(model, parse_settings("--at", options.at));
  EquilibriumOptions how;
  how.rest = kind_of(options.rest);
  how.precision = options.precision;
  how.rank = options.rank;
  how.held = point.coordinates;
  return {model, std::move(point), std::move(how)};
}

Equilibrium find(const Guess& guess) { return find_equilibrium(guess.model, guess.point.state, guess.how); }

void add_system_options(CLI::App& verb, SystemOptions& options) {
  add_rest_options(verb, options);
  verb.add_flag("--off-equilibrium", options.off_equilibrium,
                "go on where the model is not at rest, with the forces that are out of balance ignored");
}

LoadedSystem load_system(const SystemOptions& options) {
  return is_matrix_folder(options.path) ? load_matrices(options) : load_model(options);
}

}  // namespace stillpoint::cli
