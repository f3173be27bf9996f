#include <fmt/format.h>

#include <algorithm>

#include "base/whole_file.h"
#include "cli/controllers.h"
#include "cli/option_groups.h"
#include "cli/variations.h"
#include "stillpoint/error.h"
#include "stillpoint/stability_map.h"
#include "stillpoint/sweep.h"

namespace stillpoint::cli {

namespace {

struct SweepArguments : RestOptions {
  std::vector<std::string> over;
  Index count = SweepOptions().count;
  bool locus = false;
};

void require_ending(const SweepArguments& options) {
  if (options.output.empty()) return;
  for (const char* const ending : {".csv", ".json", ".npz", ".svg"}) {
    if (options.output.ends_with(ending)) {
      if (options.json && options.output.ends_with(".json") == false)
        throw Error(fmt::format("--json -o {}: leave --json out, or end in .json", options.output));
      return;
    }
  }
  if (!options.json)
    throw Error(fmt::format("-o {}: the ending chooses the format; the endings are .csv, .json, .npz and .svg",
                            options.output));
}

enum class Format { text, json, csv, npz, svg };
Format format_of(const SweepArguments& options) {
  if (options.json || options.output.ends_with(".json")) return Format::json;
  if (options.output.ends_with(".csv")) return Format::csv;
  if (options.output.ends_with(".npz")) return Format::npz;
  return options.output.ends_with(".svg") ? Format::svg : Format::text;
}

std::string in_format(const SweepArguments& options, const Sweep& sweep, const Model& model) {
  switch (format_of(options)) {
    case Format::json:
      return to_json(sweep, model);
    case Format::csv:
      return to_csv(sweep);
    case Format::npz:
      return to_npz(sweep);
    case Format::svg:
      return options.locus ? to_root_locus_svg(sweep) : to_svg(sweep);
    case Format::text:
      break;
  }
  return to_text(sweep);
}

std::string in_format(const SweepArguments& options, const StabilityMap& map) {
  switch (format_of(options)) {
    case Format::json:
      return to_json(map);
    case Format::csv:
      return to_csv(map);
    case Format::npz:
      return to_npz(map);
    case Format::svg:
      return to_svg(map);
    case Format::text:
      break;
  }
  return to_text(map);
}

bool is_certain(const StabilityMap& map) {
  return std::all_of(map.rows.begin(), map.rows.end(), [](const MapRow& row) {
    return row.sweep.uncertain.empty() && std::all_of(row.sweep.points.begin(), row.sweep.points.end(),
                                                      [](const SweepPoint& point) { return point.certified; });
  });
}

void sweep_one(const SweepArguments& options, const ParameterRange& over) {
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

// ----- Two parameters

bool counts(const ModelFamily& family, const std::string& name) {
  const std::vector<ModelParameter> all = family.parameters();
  return std::any_of(all.begin(), all.end(),
                     [&](const ModelParameter& parameter) { return parameter.name == name && parameter.is_integer; });
}

// Where the second parameter counts things, each row has a model of its own, and the equilibrium is sought.
RowStartAt row_starts(const SweepArguments& options, const ParameterRange& first, const ParameterRange& second,
                      bool second_counts) {
  if (!second_counts) return start_plane(options, first, second).start;
  return [options, first, second](double value) {
    StudyStart start = start_study(with_setting(options, second.name, value), first.name, first.values.front());
    return RowStart{std::move(start.variation), std::move(start.rest)};
  };
}

void map_two(const SweepArguments& options, const ParameterRange& first, const ParameterRange& second) {
  if (options.locus) throw Error("--locus draws the eigenvalues over one parameter, and there are two");
  require_two_parameters(first.name, second.name);
  const bool second_counts = counts(family_of(options), second.name);
  const RowStartAt start = row_starts(options, first, second, second_counts);
  ProgressLine progress(!options.quiet);
  MapOptions how{.first_spacing = first.spacing, .second_spacing = second.spacing};
  if (second_counts) how.most_divisions = 0;
  let_it_be_interrupted(how, progress);
  const StabilityMap map = map_stability(start, second.name, second.values, first.values, how);
  progress.clear();
  deliver(options, in_format(options, map));
  conclude_study(map.is_partial ? map.ended : "", is_certain(map));
}

void run(const SweepArguments& options) {
  require_ending(options);
  if (options.locus && !options.output.ends_with(".svg"))
    throw Error("--locus draws a picture: give -o FILE.svg as well");
  std::vector<ParameterRange> over;
  for (const std::string& text : options.over) over.push_back(range_in("--over", text));
  if (over.size() > 2) throw Error(fmt::format("--over is given {} times; two parameters are the most", over.size()));
  if (over.size() == 2) map_two(options, over[0], over[1]);
  else sweep_one(options, over[0]);
}

}  // namespace

void add_sweep(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("sweep", "modes and stability over a parameter");
  verb->description(
      "Examples:\n"
      "  stillpoint sweep cases/four_bar --over k=1:100:50:log\n"
      "  stillpoint sweep cases/ziegler_column --over P=0:3 -o flutter.svg\n"
      "  stillpoint sweep cases/four_bar --set N=5 --over c=0:20 --locus -o roots.svg\n"
      "  stillpoint sweep cases/ziegler_column --set b2=0.1 --over P=0:3 --over b1=0:1:21 -o map.svg\n\n"
      "How do the modes change with a parameter, which is which, and where does stability change? The equilibrium and\n"
      "each mode are followed from point to point, with exact rates; crossings, veerings, coalescences, flutter and\n"
      "divergence between the points are listed as events. With two parameters: where is it stable, and on which "
      "curves\n"
      "does stability change? Ends with exit code 1 if the study ends early, if it is\n"
      "not certain somewhere which mode is which, or if a point is not certified.");
  auto options = std::make_shared<SweepArguments>();
  add_model_options(*verb, *options);
  add_rest_options(*verb, *options);
  add_open_option(*verb, *options, without_controllers);
  verb->add_option("--over", options->over,
                   "parameter and range, NAME=FROM:TO[:POINTS][:log], or values NAME=A,B,...; inputs are input:NAME, "
                   "numbers of elements NAME.FIELD (default: 41 points); given twice: a map of stability over both")
      ->group(group::which_modes)
      ->required()
      ->allow_extra_args(false)
      ->type_name("NAME=FROM:TO");
  verb->add_option("--count", options->count, "number of modes that are listed, the lowest first (default: 10)")
      ->group(group::which_modes)
      ->check(CLI::Range(1, 1000));
  verb->add_flag("--locus", options->locus, "draw the eigenvalues in the complex plane")->group(group::output);
  verb->callback([options] { run(*options); });
}

}  // namespace stillpoint::cli
