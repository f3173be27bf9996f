#include <fmt/format.h>

#include <algorithm>

#include "base/whole_file.h"
#include "cli/option_groups.h"
#include "cli/variations.h"
#include "stillpoint/error.h"
#include "stillpoint/sweep.h"

namespace stillpoint::cli {

namespace {

struct SweepArguments : RestOptions {
  std::string over;
  Index count = SweepOptions().count;
  bool locus = false;
};

void require_ending(const SweepArguments& options) {
  if (options.output.empty()) return;
  for (const char* const ending : {".csv", ".json", ".svg"}) {
    if (options.output.ends_with(ending)) {
      if (options.json && options.output.ends_with(".json") == false)
        throw Error(fmt::format("--json -o {}: leave --json out, or end in .json", options.output));
      return;
    }
  }
  if (!options.json)
    throw Error(
        fmt::format("-o {}: the ending chooses the format; the endings are .csv, .json and .svg", options.output));
}

std::string in_format(const SweepArguments& options, const Sweep& sweep, const Model& model) {
  if (options.json || options.output.ends_with(".json")) return to_json(sweep, model);
  if (options.output.ends_with(".csv")) return to_csv(sweep);
  if (options.output.ends_with(".svg")) return options.locus ? to_root_locus_svg(sweep) : to_svg(sweep);
  return to_text(sweep);
}

void run(const SweepArguments& options) {
  require_ending(options);
  if (options.locus && !options.output.ends_with(".svg"))
    throw Error("--locus draws a picture: give -o FILE.svg as well");
  const ParameterRange over = range_in("--over", options.over);
  const StudyStart study = start_study(options, over.name, over.values.front());
  ProgressLine progress(!options.quiet);
  SweepOptions how{.spacing = over.spacing, .count = options.count};
  let_it_be_interrupted(how, progress);
  const Sweep sweep = sweep_modes(study.variation, study.rest, over.values, how);
  progress.clear();
  deliver(options, in_format(options, sweep, study.guess.model));
  conclude_study(sweep.is_partial ? sweep.ended : "",
                 sweep.uncertain.empty() && std::all_of(sweep.points.begin(), sweep.points.end(),
                                                        [](const SweepPoint& point) { return point.certified; }));
}

}  // namespace

void add_sweep(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("sweep", "modes and stability over a parameter");
  verb->description(
      "Examples:\n"
      "  stillpoint sweep cases/four_bar --over k=1:100:50:log\n"
      "  stillpoint sweep cases/ziegler_column --over P=0:3 -o flutter.svg\n"
      "  stillpoint sweep cases/four_bar --set N=5 --over c=0:20 --locus -o roots.svg\n\n"
      "How do the modes change with a parameter, which is which, and where does stability change? The equilibrium and\n"
      "each mode are followed from point to point, with exact rates; crossings, veerings, coalescences, flutter and\n"
      "divergence between the points are listed as events. Ends with exit code 1 if the study ends early, if it is\n"
      "not certain somewhere which mode is which, or if a point is not certified.");
  auto options = std::make_shared<SweepArguments>();
  add_model_options(*verb, *options);
  add_rest_options(*verb, *options);
  verb->add_option("--over", options->over,
                   "parameter and range, NAME=FROM:TO[:POINTS][:log], or values NAME=A,B,...; inputs are input:NAME, "
                   "numbers of elements NAME.FIELD (default: 41 points)")
      ->group(group::which_modes)
      ->required()
      ->type_name("NAME=FROM:TO");
  verb->add_option("--count", options->count, "number of modes that are listed, the lowest first (default: 10)")
      ->group(group::which_modes)
      ->check(CLI::Range(1, 1000));
  verb->add_flag("--locus", options->locus, "draw the eigenvalues in the complex plane")->group(group::output);
  verb->callback([options] { run(*options); });
}

}  // namespace stillpoint::cli
