// The words of the command line: settings, and options that take several of them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stillpoint::cli {

/// NAME=NUMBER; nothing if the word has another form.
std::optional<std::pair<std::string, double>> setting_in(const std::string& word);
/// The whole word as a number; nothing if it is none.
std::optional<double> number_from(const std::string& word);

/// "a,b" → a, b; empty parts are kept.
std::vector<std::string> parts_between(const std::string& text, char separator);

/// Lets options for settings take several: "--at a=1 b=2" becomes "--at a=1 --at b=2", for CLI11 would read b=2 as the
/// name of a model.
std::vector<std::string> with_repeated_options(const std::vector<std::string>& words);

}  // namespace stillpoint::cli
