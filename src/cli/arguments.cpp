#include "cli/arguments.h"

#include <cstdlib>

namespace stillpoint::cli {

namespace {

/// NAME=NUMBER
bool is_setting(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (word.starts_with('-') || equals == std::string::npos || equals == 0 || equals + 1 == word.size()) return false;
  char* end = nullptr;
  std::strtod(word.c_str() + equals + 1, &end);
  return *end == '\0';
}

}  // namespace

std::vector<std::string> with_repeated_options(const std::vector<std::string>& words) {
  std::vector<std::string> result;
  std::string option;  // the one that takes settings, as long as they follow
  for (const std::string& word : words) {
    const bool is_option = word == "--at" || word == "--set";
    const bool is_first = !result.empty() && !option.empty() && result.back() == option;
    if (is_option) option = word;
    else if (!option.empty() && !is_first) {
      if (is_setting(word)) result.push_back(option);
      else option.clear();
    }
    result.push_back(word);
  }
  return result;
}

}  // namespace stillpoint::cli
