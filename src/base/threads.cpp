#include "stillpoint/threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "stillpoint/error.h"

namespace stillpoint {

namespace {

constexpr int most_of_all = 1024;
constexpr const char* variable = "STILLPOINT_THREADS";

int as_set = 0;

std::optional<int> from_environment() {
  const char* const text = std::getenv(variable);
  if (!text || !*text) return {};
  const std::string_view word = text;
  int count = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), count);
  if (problem != std::errc() || end != word.data() + word.size() || count < 1 || count > most_of_all)
    throw Error(fmt::format("{} is '{}': it must be a whole number from 1 to {}", variable, word, most_of_all));
  return count;
}

int processors() { return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, most_of_all); }

}  // namespace

int most_threads() {
  if (as_set > 0) return as_set;
  static const std::optional<int> wanted = from_environment();
  static const int found = processors();
  return wanted.value_or(found);
}

void set_most_threads(int count) {
  if (count < 0 || count > most_of_all)
    throw std::invalid_argument("set_most_threads: the number of threads must be from 0 to 1024");
  as_set = count;
}

}  // namespace stillpoint
