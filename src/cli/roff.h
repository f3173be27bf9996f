// Text for manual pages, in the macros `man` of roff.
#pragma once

#include <string>

namespace stillpoint::cli::roff {

/// Text as it stands, also in code: hyphens are minus signs, which can be searched for and pasted.
std::string code(const std::string& text);
/// Running text.
std::string text(const std::string& text);
std::string bold(const std::string& text);
std::string italic(const std::string& text);
/// Lines that are shown as they stand.
std::string example(const std::string& lines);
/// The first lines of a page, which is neither hyphenated nor justified: `name` in small letters, such as
/// "stillpoint-modes".
std::string title(const std::string& name, const std::string& section, const std::string& group);

/// Turns Markdown, as far as docs/model-files.md uses it, into sections of a manual page. A table becomes a list: its
/// first column is the term, its last one the text, and what stands between follows the term in brackets.
std::string from_markdown(const std::string& markdown);

}  // namespace stillpoint::cli::roff
