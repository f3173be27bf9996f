// A command line as bash has it while the user is still typing: its words, and what bash replaces when a word is
// completed.
#pragma once

#include <string>
#include <vector>

namespace stillpoint::cli {

struct ShellLine {
  std::vector<std::string> words;  ///< without quotes; the last one is the word at the cursor, which may be empty
  std::size_t replaced_from = 0;   ///< bash replaces the last word from this byte on
  char open_quote = '\0';          ///< ' or " if the last word stands in quotes that are not closed yet
};

/// Takes a line apart as bash does. `breaks` are the characters at which bash breaks words for completion, its
/// COMP_WORDBREAKS, such as = and :.
ShellLine split_shell_line(const std::string& line, const std::string& breaks);

/// The text that bash inserts for a word that completes the line, with quotes or backslashes where it needs them.
std::string inserted_for(const std::string& word, const ShellLine& line);

}  // namespace stillpoint::cli
