// Columns of CSV, and words of tables, which the results of this stage share.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace stillpoint {

/// A name as a field of CSV: it may contain commas, as mass[4,7] does.
inline std::string csv_field(const std::string& words) {
  std::string text = "\"";
  for (const char c : words) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

/// A number as a field of CSV, empty if it is not finite.
inline std::string csv_field(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

/// A number in a table, "-" if there is none.
inline std::string number_or_dash(double value, const char* format = "{:.4g}") {
  return std::isfinite(value) ? fmt::format(fmt::runtime(format), value) : "-";
}

/// How many characters a text in UTF-8 has.
inline std::size_t characters_in(const std::string& words) {
  return static_cast<std::size_t>(
      std::count_if(words.begin(), words.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// The rows of a table in columns that are as wide as they need; the first one is aligned to the left.
inline std::string aligned_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], characters_in(row[c]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line = " ";
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string space(widths[c] - characters_in(row[c]), ' ');
      line += c == 0 ? " " + row[c] + space : "  " + space + row[c];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace stillpoint
