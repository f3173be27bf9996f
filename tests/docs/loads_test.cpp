// The page docs/loads.md: what it shows is run, and prints and plots what it shows.

#include <doctest/doctest.h>

#include <regex>

#include "support/docs/pictures.h"
#include "support/docs/shown_blocks.h"

using namespace stillpoint;

namespace {

// Times, error bounds, and how many frequencies a quadrature takes are for the machine to decide, as digits beyond the
// eighth are.
std::string without_bounds(const std::string& text) {
  const std::string without = std::regex_replace(
      text, std::regex(" +[0-9.]+e-[0-9]+|[0-9.]+ (µs|ms|s)\\b|± [0-9.e-]+|, [0-9]+ frequencies"), " …");
  return std::regex_replace(without, std::regex("([0-9]\\.[0-9]{8})[0-9]+"), "$1");
}

}  // namespace

TEST_CASE("docs: the page on loads prints and plots what it shows") {
  const std::string folder = STILLPOINT_SOURCE_DIR "/docs";
  const ScratchFolder place;
  CHECK(run_shown_blocks(folder + "/loads.md", place, without_bounds) == 6);
  for (const char* const picture : {"unbalance.svg", "gyroscopic.svg", "random.svg"}) {
    CAPTURE(picture);
    const std::string now = content_of(place / picture), shown = content_of(folder + "/pictures/" + picture);
    CHECK(words_of_picture(now) == words_of_picture(shown));
    CHECK(lines_in_picture(now) == lines_in_picture(shown));
  }
}
