#include <fmt/format.h>

#include <algorithm>

#include "cli/arguments.h"
#include "cli/controllers.h"
#include "cli/option_groups.h"
#include "cli/variations.h"
#include "stillpoint/boundary.h"
#include "stillpoint/critical.h"
#include "stillpoint/error.h"

namespace stillpoint::cli {

namespace {

struct CriticalArguments : RestOptions {
  std::string over;
  std::string along;
  std::string target;
  Index mode = 0;
  std::vector<std::string> parameters;
};

// Those of the other parameters whose rates are wanted, where the one that is varied has a value.
std::vector<Variation> other_variations(RestOptions options, const std::vector<std::string>& names,
                                        const Variation& varied, double value) {
  if (!varied.input && varied.name.find('.') == std::string::npos)
    options.settings.push_back(fmt::format("{}={:.17g}", varied.name, value));
  const ModelFamily family = family_of(options);
  std::vector<Variation> others = variations_called(names, family, varied.model_at(value));
  std::erase_if(others, [&](const Variation& other) { return other.name == varied.name; });
  return others;
}

ModeTarget target_in(const CriticalArguments& options) {
  const auto setting = setting_in(options.target);
  if (setting && setting->first == "frequency")
    return {ModeTarget::Quantity::frequency_hz, setting->second, options.mode};
  if (setting && setting->first == "damping")
    return {ModeTarget::Quantity::damping_ratio, setting->second, options.mode};
  if (setting && setting->first == "order" && setting->second > 0)
    return {ModeTarget::Quantity::order_of_speed, setting->second, options.mode};
  throw Error(
      fmt::format("--target {}: frequency=HERTZ or damping=RATIO is meant, such as frequency=2, or order=N for "
                  "the critical speeds of a rotor",
                  options.target));
}

void seek_target(const CriticalArguments& options, const StudyStart& study, const ParameterRange& over,
                 const CriticalOptions& how, ProgressLine& progress) {
  const TargetPoints found =
      find_targets(study.variation, study.rest, over.values.front(), over.values.back(), target_in(options), how);
  progress.clear();
  deliver(options, options.json ? to_json(found) : to_text(found));
  if (found.points.empty() && !found.search.is_partial) print_message("no mode has this value in the interval");
  conclude_study(found.search.is_partial ? found.search.ended : "", !found.points.empty());
}

void seek_critical_points(const CriticalArguments& options, const StudyStart& study, const ParameterRange& over,
                          const CriticalOptions& how, ProgressLine& progress) {
  const CriticalPoints found =
      find_critical_points(study.variation, study.rest, over.values.front(), over.values.back(), how);
  progress.clear();
  deliver(options, options.json ? to_json(found, study.guess.model) : to_text(found, study.guess.model));
  conclude_study(found.is_partial ? found.ended : "",
                 found.unexplained.empty() && std::all_of(found.points.begin(), found.points.end(),
                                                          [](const CriticalPoint& point) { return point.certified; }));
}

std::string in_format(const CriticalArguments& options, const BoundaryCurves& curves) {
  if (options.json || options.output.ends_with(".json")) return to_json(curves);
  if (options.output.ends_with(".csv")) return to_csv(curves);
  return options.output.ends_with(".svg") ? to_svg(curves) : to_text(curves);
}

void trace_curves(const CriticalArguments& options, const ParameterRange& over) {
  const ParameterRange along = range_in("--along", options.along);
  if (along.spacing != Spacing::linear || along.values.size() < 2)
    throw Error(fmt::format("--along {}: a range NAME=FROM:TO[:ROWS] is meant", options.along));
  require_two_parameters(over.name, along.name);
  const PlaneStart start = start_plane(options, over, along);
  ProgressLine progress(!options.quiet);
  BoundaryOptions how{.first_from = over.values.front(),
                      .first_to = over.values.back(),
                      .second_from = along.values.front(),
                      .second_to = along.values.back(),
                      .points = static_cast<Index>(over.values.size())};
  const bool has_rows = std::count(options.along.begin(), options.along.end(), ':') > 1;
  if (has_rows) how.rows = static_cast<Index>(along.values.size());
  let_it_be_interrupted(how, progress);
  const BoundaryCurves found = trace_boundaries(start.plane, start.start, how);
  progress.clear();
  deliver(options, in_format(options, found));
  conclude_study(found.is_partial ? "interrupted" : "", found.notes.empty());
}

void run(const CriticalArguments& options) {
  const ParameterRange over = range_in("--over", options.over);
  if (over.spacing != Spacing::linear || over.values.size() < 2)
    throw Error(
        fmt::format("--over {}: critical points are sought in an interval NAME=FROM:TO[:POINTS]", options.over));
  if (!options.along.empty()) return trace_curves(options, over);
  const StudyStart study = start_study(options, over.name, over.values.front());
  ProgressLine progress(!options.quiet);
  CriticalOptions how{.points = static_cast<Index>(over.values.size())};
  if (!options.parameters.empty()) {
    other_variations(options, options.parameters, study.variation, over.values.front());  // names are checked first
    how.parameters = [&](double value) {
      return other_variations(options, options.parameters, study.variation, value);
    };
  }
  let_it_be_interrupted(how, progress);
  (options.target.empty() ? seek_critical_points : seek_target)(options, study, over, how, progress);
}

}  // namespace

void add_critical(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("critical", "the values of a parameter at which stability changes");
  verb->description(
      "Examples:\n"
      "  stillpoint critical cases/ziegler_column --over P=0:3\n"
      "  stillpoint critical cases/beck_column --over P=0:30 --json\n"
      "  stillpoint critical cases/ziegler_column --set b1=0.1 --set b2=0.1 --over P=0:3 --parameters l,c,b1,b2\n"
      "  stillpoint critical cases/four_bar --over k=20:40 --target frequency=0.3 --mode 1\n"
      "  stillpoint critical cases/ziegler_column --set b2=0.1 --over P=0:3 --along b1=0.01:1 -o curves.svg\n\n"
      "Exactly where does a mechanism become unstable, and how? Divergence (buckling), flutter, and the places where\n"
      "eigenvalues meet are located to the accuracy of the matrices, with an error bound, the critical mode, and the\n"
      "numbers of unstable eigenvalues on both sides. Ends with exit code 1 if one of them is not certified, or if\n"
      "something in the interval is not explained.");
  auto options = std::make_shared<CriticalArguments>();
  add_model_options(*verb, *options);
  add_rest_options(*verb, *options);
  add_open_option(*verb, *options, without_controllers);
  verb->add_option("--over", options->over,
                   "parameter and interval, NAME=FROM:TO[:POINTS]; the points bracket what is sought (default: 41)")
      ->group(group::which_modes)
      ->required()
      ->type_name("NAME=FROM:TO");
  CLI::Option* const along =
      verb->add_option("--along", options->along,
                       "the curves on which the critical points lie over this second parameter, NAME=FROM:TO[:ROWS]; "
                       "they begin at critical points for so many values of it (default: 5); -o ends in .csv, .json "
                       "or .svg")
          ->group(group::which_modes)
          ->type_name("NAME=FROM:TO");
  CLI::Option* const target =
      verb->add_option("--target", options->target,
                       "instead: where a mode has this frequency (Hz) or damping ratio, frequency=HERTZ or "
                       "damping=RATIO; or order=N, where its frequency is N times the parameter, a speed of rotation: "
                       "the critical speeds of a rotor, with N = 1 for unbalance")
          ->group(group::which_modes)
          ->excludes(along)
          ->type_name("QUANTITY=VALUE");
  verb->add_option("--mode", options->mode, "only this mode, the lowest at the beginning of the interval being 1")
      ->group(group::which_modes)
      ->needs(target)
      ->check(CLI::Range(1, 100000));
  verb->add_option("--parameters", options->parameters,
                   "by how much these other parameters move the critical values, names with commas between them: "
                   "parameters of the model, inputs as input:NAME, and numbers of elements as NAME.FIELD")
      ->group(group::which_modes)
      ->excludes(target)
      ->excludes(along)
      ->type_name("NAME,...");
  verb->callback([options] { run(*options); });
}

}  // namespace stillpoint::cli
