// The words of the command line, as the parser takes them.
#pragma once

#include <string>
#include <vector>

namespace stillpoint::cli {

/// Lets options for settings take several: "--at a=1 b=2" becomes "--at a=1 --at b=2", for CLI11 would read b=2 as the
/// name of a model.
std::vector<std::string> with_repeated_options(const std::vector<std::string>& words);

}  // namespace stillpoint::cli
