// Words for enumerators, as on the command line.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "stillpoint/error.h"

namespace stillpoint::python {

template <class Value>
using WordTable = std::vector<std::pair<const char*, Value>>;

/// Throws Error, with the words that are allowed, for any other word.
template <class Value>
Value meaning(const char* option, const std::string& word, const WordTable<Value>& table) {
  std::vector<std::string> known;
  for (const auto& [key, value] : table) {
    if (word == key) return value;
    known.emplace_back(key);
  }
  throw Error(
      fmt::format("{}='{}': one of {} is meant{}", option, word, fmt::join(known, ", "), did_you_mean(word, known)));
}

}  // namespace stillpoint::python
