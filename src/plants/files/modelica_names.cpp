#include "plants/files/modelica_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <sstream>

#include "base/utf8.h"

namespace stillpoint {

namespace {

// The keywords, and the names that every written model contains.
constexpr const char* taken_words =
    "algorithm and annotation block break class connect connector constant constrainedby der discrete "
    "each else elseif elsewhen encapsulated end enumeration equation expandable extends external false "
    "final flow for function if import impure in initial inner input loop model not operator or outer "
    "output package parameter partial protected public pure record redeclare replaceable return stream "
    "then true type when while within A B C D E F G K M u u0 v x x0 y y0 z time zeros Real RealInput "
    "RealOutput";

bool is_taken(const std::string& name) {
  static const std::set<std::string> words = [] {
    std::istringstream stream(taken_words);
    return std::set<std::string>(std::istream_iterator<std::string>(stream), {});
  }();
  return words.contains(name);
}

bool is_letter(char32_t c) { return c < 0x80 && (std::isalpha(static_cast<int>(c)) != 0 || c == '_'); }
bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }

bool is_plain(const std::u32string& name) {
  return !name.empty() && is_letter(name[0]) &&
         std::all_of(name.begin(), name.end(), [](char32_t c) { return is_letter(c) || is_digit(c); });
}

/// Returns whether a quoted name may contain the character without a backslash.
bool may_be_quoted(char32_t c) { return c >= ' ' && c < 0x7F && c != '\'' && c != '\\' && c != '"'; }

}  // namespace

std::string modelica_name(const std::string& name) {
  std::u32string allowed = characters(name);
  if (is_plain(allowed) && !is_taken(name)) return name;
  std::replace_if(
      allowed.begin(), allowed.end(), [](char32_t c) { return !may_be_quoted(c); }, U'_');
  return "'" + to_utf8(allowed) + "'";
}

std::vector<std::string> modelica_names(const std::vector<std::string>& names, std::set<std::string>& taken) {
  std::vector<std::string> found;
  for (const std::string& name : names) {
    std::string next = modelica_name(name);
    for (int k = 2; !taken.insert(next).second; ++k) next = modelica_name(fmt::format("{} ({})", name, k));
    found.push_back(next);
  }
  return found;
}

std::string modelica_unit(const std::string& unit) {
  std::string spelled;
  for (const char32_t c : characters(unit)) {
    if (!is_letter(c) && !is_digit(c) && c != U'/' && c != U' ' && c != U'.' && c != U'²') return "";
    spelled += c == U' ' ? '.' : c == U'²' ? '2' : static_cast<char>(c);
  }
  return spelled;
}

}  // namespace stillpoint
