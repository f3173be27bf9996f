// The choice of inputs and outputs of a linear system by name.
#pragma once

#include <string>
#include <vector>

#include "cli/verbs.h"
#include "stillpoint/linear_system.h"

namespace stillpoint::cli {

struct ChannelOptions {
  std::vector<std::string> inputs, outputs;
  bool minimum_norm = false;
};

/// Adds --input, --output and --minimum-norm.
void add_channel_options(CLI::App& verb, ChannelOptions& options);

/// The names in lists with commas.
std::vector<std::string> names_in(const std::vector<std::string>& texts);

/// Returns the system with these channels. Throws Error for a name that it does not have, and if it has no input or no
/// output then.
LinearSystem with_channels(const LinearSystem& system, const ChannelOptions& options);

}  // namespace stillpoint::cli
