// Completion on the command line of a shell: which words may come next. Verbs and options are those of the parser;
// names are those of the model on the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace stillpoint::cli {

struct Candidate {
  std::string word;
  std::string meaning;
  bool is_whole = true;  ///< false: the user goes on with the same word, as after NAME= or a folder
};

/// The words that may stand in place of the last of these, which is incomplete. Never throws for what the user has
/// typed: where nothing is known there is nothing.
std::vector<Candidate> completions(const CLI::App& app, const std::vector<std::string>& words);

/// What the hidden verb prints, one candidate a line:
///
///   __complete -- WORDS              WORD, a tab, and what it means (zsh, fish)
///   __complete --bash LINE BREAKS    what bash inserts, with a space behind it if the word is whole
std::string completion_text(const CLI::App& app, const std::vector<std::string>& arguments);

}  // namespace stillpoint::cli
