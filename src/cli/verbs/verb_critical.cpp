#include <fmt/format.h>

#include <algorithm>

#include "cli/interrupt.h"
#include "cli/option_groups.h"
#include "cli/progress_line.h"
#include "cli/rest_options.h"
#include "cli/variations.h"
#include "stillpoint/critical.h"
#include "stillpoint/error.h"

namespace stillpoint::cli {

namespace {

struct CriticalArguments : RestOptions {
  std::string over;
};

void run(CriticalArguments options) {
  const ParameterRange over = range_in("--over", options.over);
  if (over.spacing != Spacing::linear || over.values.size() < 2)
    throw Error(
        fmt::format("--over {}: critical points are sought in an interval NAME=FROM:TO[:POINTS]", options.over));
  options.settings.push_back(fmt::format("{}={:.17g}", over.name, over.values.front()));
  const ModelFamily family = family_of(options);
  Guess guess = load_guess(options);
  hold(options, guess);
  const Equilibrium start = find_at_rest(guess);
  ProgressLine progress(!options.quiet);
  wait_for_the_next_step();
  const CriticalPoints found = find_critical_points(
      variation_called(over.name, family, guess.model), start, over.values.front(), over.values.back(),
      {.points = static_cast<Index>(over.values.size()), .progress = progress.sink(), .stop = [] {
         return interruption() != 0;
       }});
  progress.clear();
  deliver(options, options.json ? to_json(found, guess.model) : to_text(found, guess.model));
  if (const int signal = interruption(); signal != 0) throw CLI::RuntimeError(128 + signal);
  if (found.is_partial) print_message(found.ended);
  if (found.is_partial || !found.unexplained.empty() ||
      !std::all_of(found.points.begin(), found.points.end(),
                   [](const CriticalPoint& point) { return point.certified; }))
    throw CLI::RuntimeError(numerics_failed);
}

}  // namespace

void add_critical(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("critical", "the values of a parameter at which stability changes");
  verb->description(
      "Examples:\n"
      "  stillpoint critical cases/ziegler_column --over P=0:3\n"
      "  stillpoint critical cases/beck_column --over P=0:30 --json\n\n"
      "Exactly where does a mechanism become unstable, and how? Divergence (buckling), flutter, and the places where\n"
      "eigenvalues meet are located to the accuracy of the matrices, with an error bound, the critical mode, and the\n"
      "numbers of unstable eigenvalues on both sides. Ends with exit code 1 if one of them is not certified, or if\n"
      "something in the interval is not explained.");
  auto options = std::make_shared<CriticalArguments>();
  add_model_options(*verb, *options);
  add_rest_options(*verb, *options);
  verb->add_option("--over", options->over,
                   "parameter and interval, NAME=FROM:TO[:POINTS]; the points bracket what is sought (default: 41)")
      ->group(group::which_modes)
      ->required()
      ->type_name("NAME=FROM:TO");
  verb->callback([options] { run(*options); });
}

}  // namespace stillpoint::cli
