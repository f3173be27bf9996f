// The page docs/controllers.md: what it shows is run, and prints what it shows.

#include <doctest/doctest.h>

#include <regex>

#include "support/docs/shown_blocks.h"

using namespace stillpoint;

namespace {

const std::string controllers_page = STILLPOINT_SOURCE_DIR "/docs/controllers.md";

// Bounds, times and digits beyond the eighth are for the machine to decide.
std::string without_digits(const std::string& text) {
  const std::string without_bounds = std::regex_replace(text, std::regex("± [0-9.e-]+|[0-9.]+e-[0-9]+"), "±");
  return std::regex_replace(without_bounds, std::regex("([0-9]\\.[0-9]{8})[0-9]+|[0-9.]+ (µs|ms|s)\\b"), "$1");
}

}  // namespace

TEST_CASE("docs: the page on controllers prints what it shows, and its section is that of the case") {
  const ScratchFolder place;
  CHECK(run_shown_blocks(controllers_page, place, without_digits) == 4);
  const std::string model = content_of(STILLPOINT_SOURCE_DIR "/cases/controlled_cart_pole/model.yaml");
  CHECK(model.find(shown_code(controllers_page, "yaml", 0)) != std::string::npos);
}
