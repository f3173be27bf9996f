#include "cli/arguments.h"

#include <cstdlib>

namespace stillpoint::cli {

std::optional<double> number_from(const std::string& word) {
  char* end = nullptr;
  const double number = std::strtod(word.c_str(), &end);
  return word.empty() || *end != '\0' ? std::nullopt : std::optional(number);
}

std::optional<std::pair<std::string, double>> setting_in(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0) return {};
  const std::optional<double> number = number_from(word.substr(equals + 1));
  if (!number) return {};
  return std::pair{word.substr(0, equals), *number};
}

std::vector<std::string> parts_between(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) parts.emplace_back();
    else parts.back() += c;
  }
  return parts;
}

std::vector<std::string> with_repeated_options(const std::vector<std::string>& words) {
  const auto follows = [&words](std::size_t i) {
    return i < words.size() && !words[i].starts_with('-') && setting_in(words[i]);
  };
  std::vector<std::string> result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    result.push_back(words[i]);
    if ((words[i] != "--at" && words[i] != "--set") || i + 1 == words.size()) continue;
    const std::string& option = words[i];
    result.push_back(words[++i]);  // its own value, whatever it is
    while (follows(i + 1)) {
      result.push_back(option);
      result.push_back(words[++i]);
    }
  }
  return result;
}

}  // namespace stillpoint::cli
