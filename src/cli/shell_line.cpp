#include "cli/shell_line.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace stillpoint::cli {

namespace {

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || byte >= 0x80 || std::string_view("_-./=,:+@%^~").find(c) != std::string_view::npos;
}

/// Reads a line character by character.
class LineReader {
 public:
  explicit LineReader(const std::string& breaks) : breaks_(breaks) { begin_word(); }

  void read(char c) {
    if (is_escaped_) add_escaped(c);
    else if (line_.open_quote != '\0') add_quoted(c);
    else add_plain(c);
  }
  ShellLine result() && { return std::move(line_); }

 private:
  void begin_word() {
    line_.words.emplace_back();
    line_.replaced_from = 0;
    is_begun_ = false;
  }
  void add(char c) {
    line_.words.back() += c;
    is_begun_ = true;
  }
  void add_escaped(char c) {
    const bool stays = line_.open_quote == '"' && std::string_view("\\\"$`").find(c) == std::string_view::npos;
    if (stays) add('\\');
    add(c);
    is_escaped_ = false;
  }
  void add_quoted(char c) {
    if (c == line_.open_quote) line_.open_quote = '\0';
    else if (c == '\\' && line_.open_quote == '"') is_escaped_ = true;
    else add(c);
  }
  void add_plain(char c) {
    if (c == '\\') {
      is_escaped_ = true;
    } else if (c == '\'' || c == '"') {
      line_.open_quote = c;
      line_.replaced_from = line_.words.back().size();
      is_begun_ = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (is_begun_) begin_word();
    } else {
      add(c);
      if (breaks_.find(c) != std::string::npos) line_.replaced_from = line_.words.back().size();
    }
  }

  const std::string& breaks_;
  ShellLine line_;
  bool is_begun_ = false, is_escaped_ = false;
};

}  // namespace

ShellLine split_shell_line(const std::string& line, const std::string& breaks) {
  LineReader reader(breaks);
  for (const char c : line) reader.read(c);
  return std::move(reader).result();
}

std::string inserted_for(const std::string& word, const ShellLine& line) {
  const std::string text = word.substr(std::min(word.size(), line.replaced_from));
  if (line.open_quote == '\'') return text;
  std::string quoted;
  for (const char c : text) {
    const bool is_safe =
        line.open_quote == '"' ? std::string_view("\\\"$`").find(c) == std::string_view::npos : is_plain(c);
    if (!is_safe) quoted += '\\';
    quoted += c;
  }
  return quoted;
}

}  // namespace stillpoint::cli
