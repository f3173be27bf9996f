// Which inputs and outputs are looked at.
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

/// --input, --output, --minimum-norm.
void add_channel_options(CLI::App& verb, ChannelOptions& options);

/// The system with these channels. Throws Error for a name that it does not have, and if no input or output is left.
LinearSystem with_channels(const LinearSystem& system, const ChannelOptions& options);

}  // namespace stillpoint::cli
