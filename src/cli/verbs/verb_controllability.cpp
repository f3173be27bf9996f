// The verb `controllability` tells which modes inputs move and outputs show.
#include "cli/channel_options.h"
#include "cli/mode_options.h"
#include "cli/option_groups.h"
#include "cli/progress_line.h"
#include "stillpoint/controllability.h"

namespace stillpoint::cli {

namespace {

struct ControllabilityArguments : ModeOptions, ChannelOptions {};

/// Which modes; none of these options means all of a small system.
void add_request_options(CLI::App& verb, ControllabilityArguments& options) {
  CLI::Option* const count =
      verb.add_option("--count", options.count, "only this many of the lowest modes; a conjugate pair counts once")
          ->group(group::which_modes)
          ->check(CLI::Range(1, 100000));
  CLI::Option* const band =
      verb.add_option("--band", options.band, "only the modes with |s|/2π between two frequencies (Hz)")
          ->group(group::which_modes)
          ->type_name("FROM,TO")
          ->expected(2)
          ->delimiter(',')
          ->check(CLI::NonNegativeNumber)
          ->excludes(count);
  verb.add_option("--near", options.near, "only the modes nearest to the point RE + IM i (rad/s), 20 or --count")
      ->group(group::which_modes)
      ->type_name("RE,IM")
      ->expected(2)
      ->delimiter(',')
      ->excludes(band);
}

void run(const ControllabilityArguments& options) {
  const AnalysisCase loaded = load_system(options);
  const LinearSystem system = with_channels(loaded.system, options);
  const AnalysisOptions how = analysis_options(options, system);
  ProgressLine progress(!options.quiet);
  ControllabilityOptions asked{
      .minimum_norm_reactions = options.minimum_norm, .minimal = how.minimal, .progress = progress.sink()};
  if (options.count || !options.band.empty() || !options.near.empty()) asked.which = how.modes.which;
  const Controllability found = find_controllability(system, asked);
  progress.clear();
  deliver(options, options.json ? to_json(found, system) : to_text(found, system));
  if (loaded.rest) warn(options, loaded.rest->warnings);
  if (options.json) warn(options, found.warnings);
  if (found.undecided > 0) throw CLI::RuntimeError(numerics_failed);
}

}  // namespace

void add_controllability(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("controllability", "which inputs move a mode, and which outputs show it");
  verb->description(
      "Examples:\n"
      "  stillpoint controllability cases/cart_pole --rest nearest\n"
      "  stillpoint controllability cases/drive_train --input motor --output load_speed --json\n"
      "  stillpoint controllability matrices/ --input tip --output root --count 10\n\n"
      "Which inputs move a mode, and which outputs show it? Controllability and observability, mode by mode, and how\n"
      "clear that is. A participation of 100 % means that the column of an input, or the row of an output, lies "
      "wholly\n"
      "along the mode. Modes with one eigenvalue are decided together, by singular values that are shown. If a model\n"
      "names no inputs or outputs, coordinates serve: a force acts on an input coordinate, and the motion of an\n"
      "output coordinate is shown. Ends with exit code 1 if rounding hides whether a mode is moved or shown.");
  auto options = std::make_shared<ControllabilityArguments>();
  add_model_options(*verb, *options);
  add_system_options(*verb, *options);
  add_channel_options(*verb, *options);
  add_request_options(*verb, *options);
  verb->callback([options] { run(*options); });
}

}  // namespace stillpoint::cli
