// Verbs that other programs call and --help does not list: __complete for the completion of shells, and __man, which
// writes the manual pages into a folder.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace stillpoint::cli {

/// Whether the first of these words of the command line is a hidden verb.
bool is_hidden_verb(const std::vector<std::string>& words);

/// Does what it asks, and returns the exit code.
int run_hidden_verb(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace stillpoint::cli
