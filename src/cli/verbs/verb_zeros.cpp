// The verb `zeros` finds the zeros of a model from inputs to outputs.
#include <fmt/format.h>

#include "cli/channel_options.h"
#include "cli/option_groups.h"
#include "cli/progress_line.h"
#include "cli/rest_options.h"
#include "stillpoint/error.h"
#include "stillpoint/zeros.h"

namespace stillpoint::cli {

namespace {

struct ZerosArguments : SystemOptions, ChannelOptions {
  std::vector<double> near;
  Index count = 10;
};

ZeroOptions zero_options(const ZerosArguments& options) {
  ZeroOptions how{.count = options.count, .minimum_norm_reactions = options.minimum_norm};
  if (!options.near.empty())
    how.near = std::complex<double>(options.near[0], options.near.size() > 1 ? options.near[1] : 0);
  return how;
}

void run(const ZerosArguments& options) {
  const AnalysisCase loaded = load_system(options);
  const LinearSystem system = with_channels(loaded.system, options);
  ProgressLine progress(!options.quiet);
  ZeroOptions how = zero_options(options);
  how.progress = progress.sink();
  const Zeros found = find_zeros(system, how);
  progress.clear();
  deliver(options, options.json ? to_json(found, system) : to_text(found, system));
  if (loaded.rest) warn(options, loaded.rest->warnings);
  if (!options.json) warn(options, found.warnings);
  if (!found.certified) throw CLI::RuntimeError(numerics_failed);
}

}  // namespace

void add_zeros(CLI::App& app) {
  CLI::App* const verb = app.add_subcommand("zeros", "the zeros from inputs to outputs");
  verb->description(
      "Examples:\n"
      "  stillpoint zeros cases/cart_pole --rest nearest --output position\n"
      "  stillpoint zeros cases/drive_train --input motor --output motor_speed,load_speed --json\n"
      "  stillpoint zeros matrices/ --input tip --output root --near 0,300 --count 5\n\n"
      "At which s do the outputs stay zero although the inputs do not, or although the mechanism moves? Those are the\n"
      "zeros of the model about its equilibrium, from the chosen inputs to the chosen outputs, each with its\n"
      "multiplicity, a bound of its error, and its kind: a transmission zero, a mode that no input moves, or a mode\n"
      "that no output shows. There may be more inputs than outputs, or fewer. If a model names no inputs or outputs,\n"
      "coordinates serve: a force acts on an input coordinate, and the motion of an output coordinate is shown. Ends\n"
      "with exit code 1 if the zeros are not certified; the reason is printed.");
  auto options = std::make_shared<ZerosArguments>();
  add_model_options(*verb, *options);
  add_system_options(*verb, *options);
  add_channel_options(*verb, *options);
  CLI::Option* const near =
      verb->add_option("--near", options->near,
                       "only the zeros nearest to this point, real and imaginary part in rad/s; for large models")
          ->group(group::which_modes)
          ->type_name("RE[,IM]")
          ->delimiter(',')
          ->expected(1, 2);
  verb->add_option("--count", options->count, "number of zeros near the point (default: 10); a pair counts once")
      ->group(group::which_modes)
      ->needs(near)
      ->check(CLI::Range(1, 100000));
  verb->callback([options] { run(*options); });
}

}  // namespace stillpoint::cli
