// The page docs/explain.md: what it shows is run, and prints what it shows.

#include <doctest/doctest.h>

#include <regex>

#include "support/clients.h"
#include "support/docs/shown_blocks.h"

using namespace stillpoint;

namespace {

// How much rounding does is for the machine to decide: bounds, gaps, residuals and times; and where lines break.
std::string without_rounding(const std::string& text) {
  const std::string without_tiny = std::regex_replace(text, std::regex("[0-9.]+e[+-][0-9]+|± [0-9e.-]+"), "");
  const std::string without_times = std::regex_replace(without_tiny, std::regex("[0-9.]+ (µs|ms|s)\\."), "");
  return std::regex_replace(without_times, std::regex("[ \n]+"), " ");
}

}  // namespace

TEST_CASE("docs: the page on explanations prints what it shows") {
  const ScratchFolder place;
  CHECK(run_shown_blocks(STILLPOINT_SOURCE_DIR "/docs/explain.md", place, without_rounding) == 6);
}
