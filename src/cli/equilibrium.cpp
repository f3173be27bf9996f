#include "stillpoint/equilibrium.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/verbs.h"
#include "stillpoint/error.h"
#include "stillpoint/operating_point.h"

namespace stillpoint::cli {

namespace {

constexpr int numerics_failed = 1, check_failed = 6;

struct Options : ModelOptions {
  std::string rest = "stable";
  std::vector<std::string> at;
  std::vector<std::string> trim;
  bool trims = false, several = false, assert_stable = false, all_coordinates = false;
  std::optional<Index> rank;
  SearchOptions search;
};

RestKind kind_of(const std::string& word) {
  if (word == "nearest") return RestKind::nearest;
  return word == "check" ? RestKind::check : RestKind::stable;
}

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

void trim(const Options& options, const Model& model, const OperatingPoint& point) {
  TrimOptions how;
  how.precision = options.search.precision;
  for (const std::string& name : options.trim) {
    if (!name.empty()) how.inputs.push_back(input_called(model, name));  // empty: --trim alone
  }
  const Trim found = find_trim(model, point.state, how);
  deliver(options, options.json ? to_json(model, found, {options.all_coordinates}) : to_text(model, found));
  if (!found.balanced) throw CLI::RuntimeError(numerics_failed);
}

void several(const Options& options, const Model& model, const OperatingPoint& point) {
  const std::vector<Equilibrium> found = find_equilibria(model, point.state, options.search);
  deliver(options, options.json ? to_json(model, found, {options.all_coordinates}) : to_text(model, found));
  if (found.empty()) throw CLI::RuntimeError(numerics_failed);
}

void one(const Options& options, const Model& model, const OperatingPoint& point) {
  EquilibriumOptions how = options.search;
  how.held = point.coordinates;
  const Equilibrium rest = find_equilibrium(model, point.state, how);
  deliver(options, options.json ? to_json(model, rest, {options.all_coordinates}) : to_text(model, rest));
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
  verb->add_option("--rest", options->rest,
                   "stable: leave unstable positions; nearest: Newton's nearest; check: only look at the guess")
      ->check(CLI::IsMember({"stable", "nearest", "check"}));
  verb->add_option("--at", options->at, "NAME=VALUE: guess for a coordinate, or the value of an input (repeatable)")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  verb->add_flag("--equilibria", options->several, "search for several, from seeded starts");
  verb->add_option("--starts", options->search.starts, "how many starts for --equilibria")
      ->check(CLI::Range(0, 1000000));
  verb->add_option("--seed", options->search.seed, "of the starts");
  CLI::Option* const trims =
      verb->add_option("--trim", options->trim, "find inputs that hold the configuration; all, or these (NAME,...)")
          ->delimiter(',')
          ->expected(0, -1)
          ->allow_extra_args(false)
          ->type_name("INPUT,...");
  verb->add_option("--rank", options->rank, "of the constraint Jacobian, instead of deciding it")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--precision", options->search.precision,
                   "how far rounded geometry may leave redundant constraints open, relative to lengths")
      ->check(CLI::Range(0.0, 0.1));
  verb->add_flag("--assert-stable", options->assert_stable, "exit with 6 unless it is stable");
  verb->add_flag("--all-coordinates", options->all_coordinates, "with --json: also those beyond the first 200");
  verb->callback([options, trims] {
    options->search.rest = kind_of(options->rest);
    options->search.rank = options->rank;
    const Model model = load(*options);
    if (options->rank && *options->rank > std::min(model.coordinates(), model.constraints())) {
      throw Error(fmt::format("--rank {}: a Jacobian of {} constraints and {} coordinates has a rank of {} at most",
                              *options->rank, model.constraints(), model.coordinates(),
                              std::min(model.coordinates(), model.constraints())));
    }
    const OperatingPoint point = operating_point(model, parse_settings("--at", options->at));
    if (trims->count() > 0) trim(*options, model, point);
    else if (options->several) several(*options, model, point);
    else one(*options, model, point);
  });
}

}  // namespace stillpoint::cli
