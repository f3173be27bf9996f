#include <fmt/format.h>

#include "cli/controllers.h"
#include "cli/option_groups.h"
#include "cli/variations.h"
#include "stillpoint/continuation.h"
#include "stillpoint/error.h"

namespace stillpoint::cli {

namespace {

struct FollowArguments : RestOptions {
  std::string over;
  Index points = ContinuationOptions().most_points;
  double step = ContinuationOptions().largest_step;
  std::optional<double> start;
  bool downwards = false;
  std::string show;
  bool branches = false;
};

void require_its_ending(const FollowArguments& options) {
  const bool is_picture = options.output.ends_with(".svg");
  if (is_picture && options.show.empty()) throw Error("-o FILE.svg draws one coordinate: name it with --show");
  if (!is_picture && !options.show.empty()) throw Error("--show chooses the coordinate of a picture: give -o FILE.svg");
  if (options.output.empty() || options.json || is_picture || options.output.ends_with(".csv") ||
      options.output.ends_with(".json"))
    return;
  throw Error(
      fmt::format("-o {}: the ending chooses the format; the endings are .csv, .json and .svg", options.output));
}

std::string in_format(const FollowArguments& options, const EquilibriumBranch& branch, const Model& model) {
  if (options.output.ends_with(".svg")) return to_svg(branch, model, options.show);
  if (options.json || options.output.ends_with(".json")) return to_json(branch, model);
  return options.output.ends_with(".csv") ? to_csv(branch, model) : to_text(branch, model);
}

void run(const FollowArguments& options) {
  require_its_ending(options);
  const ParameterRange over = range_in("--over", options.over);
  if (over.values.size() < 2) throw Error(fmt::format("--over {}: an interval NAME=FROM:TO is meant", options.over));
  const double from = over.values.front(), to = over.values.back();
  const double start_at = options.start.value_or(options.downwards ? to : from);
  if (!(start_at >= from && start_at <= to))
    throw Error(fmt::format("--start {:g} is not between {:g} and {:g}", start_at, from, to));
  const StudyStart study = start_study(options, over.name, start_at);
  ProgressLine progress(!options.quiet);
  ContinuationOptions how{.from = from,
                          .to = to,
                          .downwards = options.downwards,
                          .most_points = options.points,
                          .crossing_branches = options.branches,
                          .largest_step = options.step};
  let_it_be_interrupted(how, progress);
  const EquilibriumBranch branch = follow_equilibria(study.variation, study.rest, how);
  progress.clear();
  deliver(options, in_format(options, branch, study.guess.model));
  conclude_study(branch.reached_end ? "" : branch.ended, true);
}

}  // namespace

void add_follow(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("follow", "equilibria over a parameter, through folds");
  verb->description(
      "Examples:\n"
      "  stillpoint follow cases/four_bar --over k=-5:25 --start 25 --downwards\n"
      "  stillpoint follow cases/four_bar --over k=-5:25 --start 25 --downwards --show phi -o branch.svg\n\n"
      "Where does a mechanism rest while a parameter changes, also where the equilibrium jumps? The path of "
      "equilibria\n"
      "is followed by its length, so that it passes folds, where it turns back, and branch points, where another one\n"
      "crosses; both are located, and each equilibrium is judged. Ends with exit code 1 if the path ends inside the\n"
      "interval.");
  auto options = std::make_shared<FollowArguments>();
  add_model_options(*verb, *options);
  add_rest_options(*verb, *options);
  add_open_option(*verb, *options, without_controllers);
  verb->add_option("--over", options->over, "parameter and interval, NAME=FROM:TO")
      ->group(group::which_modes)
      ->required()
      ->type_name("NAME=FROM:TO");
  verb->add_option("--start", options->start, "value at which the path starts (default: FROM, with --downwards TO)")
      ->group(group::which_modes);
  verb->add_flag("--downwards", options->downwards, "let the parameter fall at first")->group(group::which_modes);
  verb->add_flag("--branches", options->branches, "also follow the branches that cross the path, to both sides")
      ->group(group::which_modes);
  verb->add_option("--points", options->points, "most points of the path (default: 400)")
      ->group(group::method)
      ->check(CLI::Range(2, 1'000'000));
  verb->add_option("--step", options->step,
                   "longest step along the path; 1 is the interval, a typical length, or a radian (default: 0.05)")
      ->group(group::method)
      ->check(CLI::Range(1e-6, 10.0));
  verb->add_option("--show", options->show, "coordinate that -o FILE.svg draws")
      ->group(group::output)
      ->type_name("NAME");
  verb->callback([options] { run(*options); });
}

}  // namespace stillpoint::cli
