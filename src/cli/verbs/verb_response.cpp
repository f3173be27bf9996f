#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/usual_requests.h"
#include "cli/channel_options.h"
#include "cli/load_options.h"
#include "cli/mode_options.h"
#include "cli/number_checks.h"
#include "cli/option_groups.h"
#include "cli/progress_line.h"
#include "cli/response_kinds.h"
#include "cli/rest_options.h"
#include "stillpoint/error.h"
#include "stillpoint/frequency_response.h"

namespace stillpoint::cli {

namespace {

struct ResponseArguments : SystemOptions, ChannelOptions, LoadOptions {
  std::optional<double> from, to;
  Index points = 0;
  std::string unit = "hz";
  ResponseKinds kinds;

  double per_unit() const { return unit == "hz" ? 2 * std::numbers::pi : 1; }  ///< rad/s
};

/// Returns the range that is given, and by default a decade on both sides of the lowest modes.
ResponseRange range_of(const ResponseArguments& options, const LinearSystem& system) {
  const bool is_given = options.from && options.to && options.points > 0;
  ResponseRange range = is_given ? ResponseRange() : range_of_modes(system);
  if (options.from) range.from = *options.from * options.per_unit();
  if (options.to) range.to = *options.to * options.per_unit();
  if (!(range.from < range.to)) {
    throw Error(fmt::format("--from {:g} --to {:g}: the first frequency must be below the second",
                            range.from / options.per_unit(), range.to / options.per_unit()));
  }
  return range;
}

std::string content(const ResponseArguments& options, const FrequencyResponse& response, const std::string& model,
                    const char* what) {
  const auto ends_with = [&](const char* ending) { return options.output.ends_with(ending); };
  if (options.json || ends_with(".json")) return to_json(response, model);
  if (ends_with(".svg")) return to_svg(response, model + what, options.unit == "hz");
  return to_csv(response);
}

void require_known_ending(const ResponseArguments& options) {
  if (options.output.empty() || options.json) return;
  for (const char* const ending : {".csv", ".json", ".svg"}) {
    if (options.output.ends_with(ending)) return;
  }
  throw Error(
      fmt::format("-o {}: the ending chooses the format; the endings are .csv, .json and .svg", options.output));
}

Eigen::VectorXd frequencies_of(const ResponseArguments& options, const LinearSystem& system) {
  const ResponseRange range = range_of(options, system);
  return options.points > 0 ? log_spaced(range.from, range.to, options.points) : frequencies_for_plot(range);
}

void tell(const ResponseArguments& options, const AnalysisCase& loaded, const std::vector<std::string>& warnings) {
  if (options.quiet) return;
  if (loaded.rest) print_warnings(loaded.rest->warnings);
  print_warnings(warnings);
}

/// The system with a value of the parameter that is the speed of the rotor.
LinearSystem system_at_speed(ResponseArguments options, double speed) {
  options.settings.push_back(fmt::format("{}={:.17g}", options.speed_parameter, speed));
  return load_system(options).system;
}

/// The response to unbalance; frequencies are rotational speeds.
void run_unbalance(const ResponseArguments& options) {
  const AnalysisCase loaded = load_system(options);
  const std::vector<Unbalance> unbalances = unbalances_in(options);
  const std::vector<Orbit> orbits = orbits_in(options);
  const std::vector<std::string> outputs = names_in(options.outputs);
  const Eigen::VectorXd speeds = frequencies_of(options, loaded.system);
  ResponseOptions how{.minimum_norm_reactions = options.minimum_norm};
  ProgressLine progress(!options.quiet);
  FrequencyResponse response;
  if (options.speed_parameter.empty()) {
    how.progress = progress.sink();
    response = unbalance_response(loaded.system, unbalances, outputs, orbits, speeds, how);
  } else {
    const auto say = progress.sink();
    const auto system_at = [&](double speed) {
      if (say) say(fmt::format("linearized at {:.6g} rad/s", speed));
      return system_at_speed(options, speed);
    };
    response = unbalance_response(system_at, unbalances, outputs, orbits, speeds,
                                  options.points > 0 ? 0 : usual::refinements_of_peaks, how);
  }
  progress.clear();
  deliver(options, content(options, response, loaded.system.name, ": response to unbalance"));
  tell(options, loaded, response.warnings);
}

std::string content(const ResponseArguments& options, const RandomResponse& response, const std::string& model) {
  if (options.json || options.output.ends_with(".json")) return to_json(response, model);
  if (options.output.ends_with(".svg")) return to_svg(response, model + ": random response");
  return options.output.empty() ? to_text(response, model) : to_csv(response);
}

void run_random(const ResponseArguments& options) {
  const AnalysisCase loaded = load_system(options);
  const std::vector<RandomInput> inputs = random_inputs_in(options);
  ProgressLine progress(!options.quiet);
  RandomOptions how{.coherence = coherence_in(options, inputs),
                    .minimum_norm_reactions = options.minimum_norm,
                    .progress = progress.sink()};
  if (options.from || options.to || options.points > 0) {
    for (const double omega : frequencies_of(options, loaded.system))
      how.frequencies.push_back(omega / (2 * std::numbers::pi));
  }
  const RandomResponse response = random_response(loaded.system, inputs, names_in(options.outputs), how);
  progress.clear();
  deliver(options, content(options, response, loaded.system.name));
  tell(options, loaded, response.warnings);
  if (!response.converged) throw CLI::RuntimeError(numerics_failed);
}

std::string format_of(const ResponseArguments& options) {
  if (options.json || options.output.ends_with(".json")) return "json";
  if (options.output.ends_with(".svg")) return "svg";
  return options.kinds.figures ? "table" : "csv";
}

/// Writes an answer that is no Bode plot; beside a file its figures are printed.
void run_other_kind(const ResponseArguments& options, const AnalysisCase& loaded, const LinearSystem& system) {
  if (options.kinds.figures && !options.output.empty())
    throw Error("--figures prints a table, and -o FILE prints it beside the file: give one of them");
  const double unit = options.per_unit();
  const Eigen::VectorXd of_curves = options.kinds.singular_values ? frequencies_of(options, system) : Eigen::VectorXd();
  const ResponseTexts texts = other_response(system, options.kinds,
                                             {.from = options.from.value_or(0) * unit,
                                              .to = options.to.value_or(0) * unit,
                                              .points = options.points,
                                              .omega = of_curves,
                                              .hertz = options.unit == "hz",
                                              .minimum_norm = options.minimum_norm},
                                             format_of(options));
  deliver(options, texts.content);
  if (!options.quiet && !options.output.empty()) fmt::print("{}", texts.figures);
  tell(options, loaded, texts.warnings);
}

void run(const ResponseArguments& options) {
  require_known_ending(options);
  require_fitting_loads(options, !options.inputs.empty());
  if (options.has_load() && is_other_kind(options.kinds))
    throw Error(
        fmt::format("{} is answered over the frequency, without --step, --nyquist and the like: ask one at a time",
                    options.unbalances.empty() ? "--psd" : "--unbalance"));
  if (!options.unbalances.empty()) return run_unbalance(options);
  if (!options.densities.empty()) return run_random(options);
  const AnalysisCase loaded = load_system(options);
  const LinearSystem system = with_channels(loaded.system, options);
  if (is_other_kind(options.kinds)) return run_other_kind(options, loaded, system);
  ProgressLine progress(!options.quiet);
  const FrequencyResponse response =
      frequency_response(system, frequencies_of(options, system),
                         {.minimum_norm_reactions = options.minimum_norm, .progress = progress.sink()});
  progress.clear();
  deliver(options, content(options, response, system.name, ": frequency response"));
  tell(options, loaded, response.warnings);
}

}  // namespace

void add_response(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("response", "the frequency response from inputs to outputs");
  verb->description(
      "Examples:\n"
      "  stillpoint response cases/drive_train --input motor --output shaft -o bode.svg\n"
      "  stillpoint response cases/drive_train --from 0.1 --to 100 --points 500 -o bode.csv\n"
      "  stillpoint response cases/four_bar --input phi --output phi --unit rad --json\n"
      "  stillpoint response cases/drive_train --step --output shaft -o step.svg\n"
      "  stillpoint response cases/drive_train --output load_speed --nyquist --figures\n"
      "  stillpoint response cases/jeffcott_rotor --unbalance fx,fy=1e-4 --output disc.x,disc.y -o unbalance.svg\n"
      "  stillpoint response cases/base_excited --psd \"base''=constant:0.1:1:50\" --output felt.y\n\n"
      "Frequency response from inputs to outputs. It is computed from the whole sparse model about its equilibrium,\n"
      "and written as a table (CSV), JSON, or a Bode plot (SVG). If a model names no inputs or outputs, coordinates\n"
      "serve: a force acts on an input coordinate, and the motion of an output coordinate is shown.\n\n"
      "--step and --impulse show the answers in time instead, --nyquist and --nichols each pair as an open loop with\n"
      "its margins, --singular-values the gains of all pairs together; -o prints the figures beside the file.\n\n"
      "--unbalance asks for the amplitudes of a rotor, and --psd for spectral densities and RMS values, of which the\n"
      "latter are printed unless -o names a file.");
  auto options = std::make_shared<ResponseArguments>();
  options->breaks_loops = true;
  add_model_options(*verb, *options);
  verb->get_option("-o")->description("write to this file instead of stdout: .csv, .json or .svg");
  add_system_options(*verb, *options);
  add_channel_options(*verb, *options);
  add_load_options(*verb, *options);
  verb->add_option("--from", options->from, "lowest frequency (default: a decade below the lowest mode)")
      ->group(group::frequencies)
      ->check(above_zero());
  verb->add_option("--to", options->to, "highest frequency (default: a decade above the tenth mode)")
      ->group(group::frequencies)
      ->check(above_zero());
  verb->add_option("--points", options->points,
                   "number of frequencies, equally spaced in the logarithm "
                   "(default: 400, and more near resonances)")
      ->group(group::frequencies)
      ->check(CLI::Range(1, 1'000'000));
  verb->add_option("--unit", options->unit, "unit of --from, --to and the plot: hz, or rad for rad/s")
      ->group(group::frequencies)
      ->check(CLI::IsMember({"hz", "rad"}));
  add_response_kinds(*verb, options->kinds);
  verb->callback([options] { run(*options); });
}

}  // namespace stillpoint::cli
