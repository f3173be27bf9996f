#include "cli/roff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>
#include <vector>

#include "stillpoint/version.h"

namespace stillpoint::cli::roff {

namespace {

/// No line begins with a dot or an apostrophe, which would make a request of it.
std::string guarded(const std::string& escaped) {
  const bool is_request = escaped.starts_with('.') || escaped.starts_with('\'');
  return (is_request ? "\\&" : "") + escaped;
}

/// Names of options are not broken at their hyphens, as code is not.
std::string escaped(const std::string& text, bool is_code) {
  std::string result;
  bool is_option = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool begins_word = i == 0 || text[i - 1] == ' ' || text[i - 1] == '(';
    if (begins_word) is_option = text.compare(i, 2, "--") == 0;
    if (c == '\\') result += "\\e";
    else if (c == '^') result += "\\(ha";
    else if (c == '~') result += "\\(ti";
    else if (c == '-' && (is_code || is_option)) result += "\\-";
    else if (c == '\'' && is_code) result += "\\(aq";
    else if (c == '`' && is_code) result += "\\(ga";
    else result += c;
  }
  return result;
}

/// With `code` and **bold** of Markdown.
std::string inline_text(const std::string& markdown) {
  std::string result, plain;
  const auto take = [&](std::string_view fence, std::size_t& i, bool is_code) {
    const std::size_t end = markdown.find(fence, i + fence.size());
    if (!std::string_view(markdown).substr(i).starts_with(fence) || end == std::string::npos) return false;
    const std::string inside = markdown.substr(i + fence.size(), end - i - fence.size());
    result += escaped(plain, false) + "\\fB" + escaped(inside, is_code) + "\\fR";
    plain.clear();
    i = end + fence.size();
    return true;
  };
  for (std::size_t i = 0; i < markdown.size();) {
    if (take("`", i, true) || take("**", i, false)) continue;
    plain += markdown[i++];
  }
  return guarded(result + escaped(plain, false));
}

// ---------------------------------------------------------------------------------------------------------------------
// Tables

using Cells = std::vector<std::string>;

Cells cells_of(const std::string& row) {
  Cells cells;
  std::istringstream stream(row.substr(1));
  for (std::string cell; std::getline(stream, cell, '|');) {
    const std::size_t first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
    cells.push_back(first == std::string::npos ? std::string() : cell.substr(first, last - first + 1));
  }
  return cells;
}

/// "number, N/m, > 0, default 1": the cells between the first and the last.
std::string cells_between(const Cells& head, const Cells& row) {
  std::string list;
  for (std::size_t i = 1; i + 1 < std::min(head.size(), row.size()); ++i) {
    if (row[i].empty()) continue;
    const bool is_default = head[i] == "if left out" && !row[i].starts_with('(');
    std::string cell = (is_default ? "default " : "") + row[i];
    if (cell.starts_with('(') && cell.ends_with(')')) cell = cell.substr(1, cell.size() - 2);
    list += (list.empty() ? "" : ", ") + cell;
  }
  return list;
}

std::string table_as_list(const std::vector<std::string>& rows) {
  const Cells head = cells_of(rows.front());
  std::string list;
  for (std::size_t i = 2; i < rows.size(); ++i) {  // the second one is the rule
    const Cells row = cells_of(rows[i]);
    const std::string between = cells_between(head, row);
    list += ".TP\n" + inline_text(row.front()) + (between.empty() ? "" : " (" + inline_text(between) + ")") + "\n" +
            inline_text(row.back()) + "\n";
  }
  return list;
}

// ---------------------------------------------------------------------------------------------------------------------
// Pages

std::string capitals(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// A formula stands as it is; a long list of words is filled.
std::string indented(const std::string& line) {
  constexpr std::size_t longest = 100;
  return line.size() <= longest ? example(line) : ".PP\n.RS 4\n" + guarded(escaped(line, true)) + "\n.RE\n";
}

class Converter {
 public:
  explicit Converter(const std::string& markdown) : lines_(markdown) {}

  std::string page() {
    for (std::string line; std::getline(lines_, line);) {
      if (line.starts_with("|")) {
        rows_.push_back(line);
        continue;
      }
      if (!rows_.empty()) end_table();
      add(line);
    }
    if (!rows_.empty()) end_table();
    return page_;
  }

 private:
  void end_table() {
    page_ += table_as_list(rows_);
    rows_.clear();
  }
  void add(const std::string& line) {
    const std::string indent = "    ";
    if (line.starts_with("```")) add_block();
    else if (line.starts_with("# ")) return;  // the page has a title of its own
    else if (line.starts_with("## ")) page_ += ".SH " + capitals(inline_text(line.substr(3))) + "\n";
    else if (line.starts_with("### ")) page_ += ".SS " + inline_text(line.substr(4)) + "\n";
    else if (line.starts_with(indent)) page_ += indented(line.substr(indent.size()));
    else if (line.starts_with("- ")) page_ += ".IP \\(bu 2\n" + inline_text(line.substr(2)) + "\n";
    else if (line.empty()) page_ += ".PP\n";
    else page_ += inline_text(line.substr(line.find_first_not_of(' '))) + "\n";
  }
  void add_block() {
    std::string block;
    for (std::string line; std::getline(lines_, line) && line != "```";) block += line + "\n";
    page_ += example(block);
  }

  std::istringstream lines_;
  std::vector<std::string> rows_;  // of the table that is being read
  std::string page_;
};

/// Paragraphs that begin twice, or before a heading, are one.
std::string without_empty_paragraphs(const std::string& page) {
  std::string result, before;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line); before = line) {
    const bool begins_anew = line == ".PP" || line.starts_with(".SH") || line.starts_with(".SS") || line == ".TP";
    if (before == ".PP" && begins_anew) result.resize(result.size() - before.size() - 1);
    result += line + "\n";
  }
  return result;
}

}  // namespace

std::string code(const std::string& text) { return guarded(escaped(text, true)); }
std::string text(const std::string& text) { return guarded(escaped(text, false)); }
std::string bold(const std::string& text) { return "\\fB" + escaped(text, true) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + escaped(text, true) + "\\fR"; }

std::string example(const std::string& lines) {
  std::string block = ".PP\n.RS 4\n.nf\n";
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) block += code(line) + "\n";
  return block + ".fi\n.RE\n";
}

std::string title(const std::string& name, const std::string& section, const std::string& group) {
  return fmt::format(".TH {} {} \"\" \"stillpoint {}\" \"{}\"\n.nh\n.ad l\n", escaped(capitals(name), true), section,
                     version(), group);
}

std::string from_markdown(const std::string& markdown) { return without_empty_paragraphs(Converter(markdown).page()); }

}  // namespace stillpoint::cli::roff
