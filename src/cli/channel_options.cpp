#include "cli/channel_options.h"

#include <fmt/format.h>

#include "cli/mode_options.h"
#include "cli/option_groups.h"
#include "stillpoint/error.h"
#include "stillpoint/make_plant.h"

namespace stillpoint::cli {

std::vector<std::string> names_in(const std::vector<std::string>& texts) {
  std::vector<std::string> names;
  for (const std::string& text : texts) {
    for (const std::string& name : split_names(text)) names.push_back(name);
  }
  return names;
}

namespace {

void require_channels(const LinearSystem& system) {
  if (system.inputs() == 0)
    throw Error(fmt::format("'{}' has no inputs: name a coordinate on which a force acts, such as --input {}",
                            system.name, system.coordinates() > 0 ? system.coordinate_name(0) : "NAME"));
  if (system.outputs() == 0)
    throw Error(fmt::format("'{}' has no outputs: name a coordinate whose motion is the output, such as --output {}",
                            system.name, system.coordinates() > 0 ? system.coordinate_name(0) : "NAME"));
}

}  // namespace

void add_channel_options(CLI::App& verb, ChannelOptions& options) {
  verb.add_option("--input", options.inputs,
                  "inputs by name; a coordinate stands for a force on it (default: all inputs)")
      ->group(group::channels)
      ->allow_extra_args(false)
      ->type_name("NAME,...");
  verb.add_option("--output", options.outputs,
                  "outputs by name; a coordinate stands for its motion (default: all outputs)")
      ->group(group::channels)
      ->allow_extra_args(false)
      ->type_name("NAME,...");
  verb.add_flag("--minimum-norm", options.minimum_norm,
                "output the reaction of least norm where redundant constraints leave it undetermined")
      ->group(group::channels);
}

LinearSystem with_channels(const LinearSystem& system, const ChannelOptions& options) {
  LinearSystem chosen = stillpoint::with_channels(system, names_in(options.inputs), names_in(options.outputs));
  require_channels(chosen);
  return chosen;
}

}  // namespace stillpoint::cli
